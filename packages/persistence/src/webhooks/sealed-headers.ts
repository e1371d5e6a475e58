import type { WebhookHeader } from "@svc/domain/webhooks";
import type { Database } from "../database.ts";
import type { SecretBox } from "../secret-box.ts";
import type { Statement } from "../sql.ts";

/** The stored headers of a webhook, whose values may be credentials. */
export interface StoredHeaders {
  /** The headers as encrypted JSON; null when there are none. */
  readonly sealedHeaders: Uint8Array | null;
  /** Unencrypted headers of an earlier version; they take precedence when present. Empty after encryption. */
  readonly plainHeaders: readonly WebhookHeader[];
}

/** @returns null when there are none, so that most webhooks need no decryption. */
export function sealHeaders(headers: readonly WebhookHeader[], box: SecretBox): Buffer | null {
  return headers.length === 0 ? null : box.seal(JSON.stringify(headers));
}

/** Throws when no key decrypts them. */
export function openHeaders({ sealedHeaders, plainHeaders }: StoredHeaders, box: SecretBox): readonly WebhookHeader[] {
  if (plainHeaders.length > 0 || sealedHeaders === null) return plainHeaders;
  return JSON.parse(box.open(sealedHeaders)) as WebhookHeader[];
}

const findPlain: Statement = {
  name: "webhooks.find-plain-headers",
  text: `SELECT account_id, id, headers FROM webhooks WHERE headers <> '[]' LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
};

/** The visible attributes do not change, so the version does not either. */
const replacePlain: Statement = {
  name: "webhooks.replace-plain-headers",
  text: `
    UPDATE webhooks w SET sealed_headers = sealed.headers, headers = '[]'
      FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS sealed (account_id, id, headers)
     WHERE w.account_id = sealed.account_id AND w.id = sealed.id`,
};

interface PlainRow {
  account_id: string;
  id: string;
  headers: WebhookHeader[];
}

/** Webhooks of one transaction, so that no transaction locks many for long. */
const stepMax = 200;

/**
 * Encrypts the headers that an earlier version stored unencrypted, also of deleted webhooks. Several workers may call
 * it concurrently, and users may edit at the same time.
 * @returns the number of webhooks.
 */
export async function sealPlainHeaders(database: Database, box: SecretBox): Promise<number> {
  let sealed = 0;
  for (let count = stepMax; count === stepMax; sealed += count) {
    count = await database.transaction(async (sql) => {
      const rows = await sql.rows<PlainRow>(findPlain, [stepMax]);
      if (rows.length > 0) {
        await sql.execute(replacePlain, [
          rows.map((row) => row.account_id),
          rows.map((row) => row.id),
          rows.map((row) => sealHeaders(row.headers, box)),
        ]);
      }
      return rows.length;
    });
  }
  return sealed;
}
