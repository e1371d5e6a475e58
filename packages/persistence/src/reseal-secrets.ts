import { actingAs } from "./audit-events/actor.ts";
import type { Database } from "./database.ts";
import { nilUuid } from "./ids.ts";
import type { SecretBox } from "./secret-box.ts";
import type { Statement } from "./sql.ts";

type Sealed = Buffer | readonly Buffer[] | null;
type SealedRow = Record<string, Sealed | string>;

interface SealedTable {
  /** One or two columns, of UUIDs. */
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly find: Statement;
  readonly write: Statement;
}

/** Rows are locked in one order everywhere, so that waiting for a concurrent write cannot deadlock. */
const sealedTable = (
  name: string,
  columns: readonly string[],
  keys: readonly string[] = ["account_id", "id"],
): SealedTable => ({
  keys,
  columns,
  find: {
    name: `secrets.find-${name}`,
    text: `
      SELECT ${[...keys, ...columns].join(", ")} FROM ${name}
       WHERE (${keys.join(", ")}) > (${keys.map((_, index) => `$${index + 1}::uuid`).join(", ")})
       ORDER BY ${keys.join(", ")} LIMIT $${keys.length + 1} FOR NO KEY UPDATE`,
  },
  write: {
    name: `secrets.write-${name}`,
    text: `
      UPDATE ${name} SET ${columns.map((column, index) => `${column} = $${keys.length + index + 1}`).join(", ")}
       WHERE ${keys.map((key, index) => `${key} = $${index + 1}`).join(" AND ")}`,
  },
});

/** Stored responses of idempotent requests are encrypted too but expire after a day. */
const tables = [
  sealedTable("webhooks", ["sealed_secret", "previous_sealed_secrets", "sealed_headers"]),
  sealedTable("carrier_connections", ["sealed_credentials", "sealed_push_secret"]),
  sealedTable("share_links", ["sealed_token"]),
  sealedTable("alert_subscriptions", ["sealed_url"]),
  sealedTable("user_totp", ["sealed_secret"], ["user_id"]),
];

/** Rows of one transaction, so that no transaction locks many rows for long. */
const stepMax = 100;

interface ResealedSecrets {
  /** Number of rows with a re-encrypted secret. */
  readonly resealed: number;
  /** Number of rows with a secret that no key decrypts, which stays unchanged. */
  readonly unreadable: number;
}

interface ResealedRow {
  /** Values of the table's columns. */
  readonly values: readonly Sealed[];
  readonly isNew: boolean;
  readonly isUnreadable: boolean;
}

/** Re-encrypts each secret separately, so that one that no key decrypts does not prevent the others. */
function resealedRow(row: SealedRow, columns: readonly string[], box: SecretBox): ResealedRow {
  const result = { isNew: false, isUnreadable: false };
  const reseal = (sealed: Buffer): Buffer => {
    // Empty for a deleted webhook.
    if (sealed.length === 0) return sealed;
    try {
      const fresh = box.reseal(sealed);
      result.isNew ||= fresh !== null;
      return fresh ?? sealed;
    } catch {
      result.isUnreadable = true;
      return sealed;
    }
  };
  const values = columns.map((column): Sealed => {
    const value = row[column] as Sealed;
    if (value === null) return null;
    return Buffer.isBuffer(value) ? reseal(value) : value.map(reseal);
  });
  return { values, ...result };
}

/**
 * Re-encrypts with the current key the secrets that a former key encrypted, so that the former key can be removed.
 * Changes nothing else of the rows. Does nothing without a former key. Several workers may call it concurrently.
 */
export async function resealSecrets(database: Database, box: SecretBox): Promise<ResealedSecrets> {
  const sum = { resealed: 0, unreadable: 0 };
  if (!box.hasFormerKeys) return sum;
  for (const table of tables) {
    const keysOf = (row: SealedRow) => table.keys.map((key) => row[key]);
    let after: (Sealed | string | undefined)[] = table.keys.map(() => nilUuid);
    for (let count = stepMax; count === stepMax; ) {
      // The secrets stay the same, so the audit log records no change, also when the operator starts it.
      const rows = await actingAs({ type: "service" }, () =>
        database.transaction(async (sql) => {
          const found = await sql.rows<SealedRow>(table.find, [...after, stepMax]);
          for (const row of found) {
            const { values, isNew, isUnreadable } = resealedRow(row, table.columns, box);
            if (isNew) await sql.execute(table.write, [...keysOf(row), ...values]);
            if (isNew) sum.resealed += 1;
            if (isUnreadable) sum.unreadable += 1;
          }
          return found;
        }),
      );
      count = rows.length;
      const last = rows.at(-1);
      if (last) after = keysOf(last);
    }
  }
  return sum;
}
