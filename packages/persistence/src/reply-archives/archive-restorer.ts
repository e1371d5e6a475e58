import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";

/** A stored reply whose body is in an object. */
export interface ArchivedReply {
  readonly id: string;
  /** SHA-256 of the bytes of the body. */
  readonly contentHash: Uint8Array;
}

const replies: Statement = {
  name: "reply-archives.archived-replies",
  text: `
    SELECT id, content_hash AS "contentHash" FROM raw_replies
    WHERE account_id = $1 AND archive_id = $2 AND id = ANY($3::uuid[]) ORDER BY id`,
};

/** Returns the replies whose bodies are in this archive. */
export function archivedReplies(
  sql: Sql,
  accountId: string,
  archiveId: string,
  ids: readonly string[],
): Promise<ArchivedReply[]> {
  return sql.rows<ArchivedReply>(replies, [accountId, archiveId, ids]);
}

const remove: Statement = {
  name: "reply-archives.remove",
  text: "DELETE FROM reply_archives WHERE account_id = $1 AND id = $2 AND stored_at IS NOT NULL",
};
const restoreBodies: Statement = {
  name: "reply-archives.restore-bodies",
  text: `
    UPDATE raw_replies r SET body = b.body, archive_id = NULL
    FROM unnest($3::uuid[], $4::bytea[]) AS b(id, body)
    WHERE r.account_id = $1 AND r.id = b.id AND r.archive_id = $2`,
};

/**
 * Returns the bodies to the database and deletes the row of the archive, whose object is then deleted. All or nothing.
 * @returns false when it was restored or erased meanwhile.
 */
export function restoreArchive(
  database: Pick<Database, "transaction">,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  gzippedBodies: ReadonlyMap<string, Uint8Array>,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    if ((await sql.execute(remove, [accountId, id])) === 0) return false;
    const [ids, bodies] = [[...gzippedBodies.keys()], [...gzippedBodies.values()]];
    const restored = await sql.execute(restoreBodies, [accountId, id, ids, bodies]);
    if (restored !== ids.length)
      throw new Error(`Archive ${id} was not restored: ${restored} of ${ids.length} replies refer to it.`);
    return true;
  });
}
