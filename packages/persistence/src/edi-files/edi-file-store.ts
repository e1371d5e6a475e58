import type { Instant } from "@svc/domain";
import type { EdiFile, EdiFileResult, EdiFileStatus } from "@svc/domain/edi-files";
import { onSameContent, waitingMessages, waitingMessagesMax } from "../event-messages/event-message-store.ts";
import { withNames } from "../named-parameters.ts";
import { type AccountValues, firstRow, type Sql, type SqlWith, type Statement } from "../sql.ts";
import { ediFileColumns } from "./edi-file-columns.ts";

export interface NewEdiFile
  extends Pick<EdiFile, "id" | "name" | "source" | "partner" | "scac" | "receivedAt" | "sizeBytes"> {
  /** SHA-256 of the file's bytes. */
  readonly contentHash: Uint8Array;
  readonly gzippedBody: Uint8Array;
}

const insert = withNames(
  {
    name: "edi-files.insert",
    wakes: "svc_tracking",
    text: `
    WITH ${waitingMessages},
    m AS (
      INSERT INTO event_messages (account_id, id, channel, scac, form, received_at, content_hash, event_count, body,
        due_at)
      SELECT :accountId::uuid, :id::uuid, 'edi', '', 'edi', :receivedAt::timestamptz, :contentHash::bytea, 0,
        :gzippedBody::bytea, now()
      FROM waiting WHERE messages < ${waitingMessagesMax}
      ${onSameContent}
      RETURNING id, received_at),
    f AS (
      INSERT INTO edi_files (account_id, id, name, source, partner, scac, received_at, size_bytes, status)
      SELECT :accountId::uuid, m.id, :name::text, :source::text, :partner::text, :scac::text, m.received_at,
        :sizeBytes::int, 'received' FROM m
      ON CONFLICT (account_id, id) DO UPDATE SET status = 'received', partner = EXCLUDED.partner, scac = EXCLUDED.scac
      RETURNING *)
    SELECT ${ediFileColumns} FROM f`,
  },
  ["id", "receivedAt", "contentHash", "gzippedBody", "name", "source", "partner", "scac", "sizeBytes"],
);

/**
 * Stores a received file and wakes the tracking worker. A file with the same bytes is stored once, keeps its id and is
 * read and applied again, with the partner and carrier of the last time.
 * @returns null, without storing, when too many messages of the account are unprocessed.
 */
export function storeEdiFile(
  sql: SqlWith<AccountValues>,
  accountId: string,
  file: NewEdiFile,
): Promise<EdiFile | null> {
  return firstRow(sql.rows<EdiFile>(insert, insert.values({ ...file, accountId })));
}

const finish: Statement = {
  name: "edi-files.finish",
  text: `
    UPDATE edi_files f SET status = $3, sender = $4, control_number = $5, result = $6, duplicate_of = (
      SELECT other.id FROM edi_files other WHERE other.account_id = $1 AND other.sender = $4
        AND other.control_number = $5 AND other.id < $2 ORDER BY other.id LIMIT 1)
    WHERE account_id = $1 AND id = $2`,
};

/** NUL and lone surrogates, which a file may contain anywhere and PostgreSQL does not store, become U+FFFD. */
const storable = (text: string): string => text.replaceAll("\u0000", "\uFFFD").toWellFormed();
const storableOrNull = (text: string | null): string | null => (text === null ? null : storable(text));
const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? storable(part) : part));

/** Records the outcome of a file. Repeating it records the same. */
export async function finishEdiFile(
  sql: Sql,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  outcome: {
    readonly status: Exclude<EdiFileStatus, "received">;
    readonly sender: string | null;
    readonly controlNumber: string | null;
    readonly result: EdiFileResult;
  },
): Promise<void> {
  const { status, sender, controlNumber, result } = outcome;
  const names = [storableOrNull(sender), storableOrNull(controlNumber)] as const;
  await sql.execute(finish, [accountId, id, status, ...names, storableJson(result)]);
}

const reject = withNames(
  {
    name: "edi-files.reject",
    text: `
    INSERT INTO edi_files (account_id, id, name, source, partner, scac, received_at, size_bytes, status, result)
    SELECT :accountId, :id, :name, :source, :partner, :scac, :receivedAt, :sizeBytes, 'rejected', :result
    FROM accounts WHERE id = :accountId`,
  },
  ["id", "name", "source", "partner", "scac", "receivedAt", "sizeBytes", "result"],
);

/** Records a file that was refused before it was stored. */
export async function storeRejectedEdiFile(
  sql: Sql,
  accountId: string,
  file: Omit<NewEdiFile, "contentHash" | "gzippedBody">,
  result: EdiFileResult,
): Promise<void> {
  await sql.execute(reject, reject.values({ ...file, accountId, result: storableJson(result) }));
}

const removeOld: Statement = {
  name: "edi-files.remove-old",
  text: `
    DELETE FROM edi_files f USING (
      SELECT account_id, id FROM edi_files WHERE received_at < $1 AND status <> 'received'
      ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE f.account_id = old.account_id AND f.id = old.id`,
};

/**
 * Deletes up to `limit` files that were received before `before` (tracking clock), once they were read. The facts that
 * they added are kept.
 * @returns the number of deleted files.
 */
export function removeOldEdiFiles(sql: Sql, before: Instant, limit: number): Promise<number> {
  return sql.execute(removeOld, [before, limit]);
}

const active: Statement = {
  name: "edi-files.active-accounts",
  text: "SELECT id FROM accounts WHERE id = ANY ($1::uuid[]) AND suspended_at IS NULL AND closed_at IS NULL ORDER BY id",
};

/** Returns those of the accounts that files may be received for. */
export async function activeAccounts(sql: Sql, accountIds: readonly string[]): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(active, [accountIds]);
  return rows.map(({ id }) => id);
}
