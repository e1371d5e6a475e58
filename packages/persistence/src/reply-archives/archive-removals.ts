import type { Sql, Statement } from "../sql.ts";

const due: Statement = {
  name: "reply-archives.due-removals",
  text: `
    SELECT object_key AS "objectKey" FROM archive_removals
    WHERE due_at <= now() AND object_key > $1 ORDER BY object_key LIMIT 100`,
};

/** Selects up to 100 keys after this one of objects that are to be deleted now, in order. */
export async function dueRemovals(sql: Sql, afterKey: string): Promise<string[]> {
  return (await sql.rows<{ objectKey: string }>(due, [afterKey])).map(({ objectKey }) => objectKey);
}

const done: Statement = {
  name: "reply-archives.removal-done",
  text: "DELETE FROM archive_removals WHERE object_key = $1",
};

/** Records that the object is deleted. */
export async function removalDone(sql: Sql, objectKey: string): Promise<void> {
  await sql.execute(done, [objectKey]);
}
