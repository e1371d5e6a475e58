import { createHash, randomBytes } from "node:crypto";
import { type Database, uuidV7 } from "@svc/persistence";

/** An account that is asked for, with a token for this run and some of its shipments. */
export interface LoadAccount {
  readonly id: string;
  readonly token: string;
  readonly shipmentIds: readonly string[];
}

const smallAccounts = 20;

/**
 * Tokens for the large account and some small ones, as far as there are. The name `Benchmark` marks the ones to delete
 * afterwards.
 */
export async function addAccounts(database: Database) {
  const add = async (place: number): Promise<LoadAccount | null> => {
    const token = `svc_live_${randomBytes(24).toString("base64url")}`;
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM accounts WHERE company_name = $1", [
      `Seeded account ${place}`,
    ]);
    const id = rows[0]?.id;
    if (id === undefined) return null;
    await database.pool.query(
      `INSERT INTO api_tokens (id, account_id, name, hint, token_sha256, scopes, created_at)
       VALUES ($1, $2, 'Benchmark', $3, $4, '{read,write}', now())`,
      [uuidV7.next(), id, token.slice(-4), createHash("sha256").update(token).digest()],
    );
    const shipments = await database.pool.query<{ id: string }>(
      "SELECT id FROM shipments WHERE account_id = $1 ORDER BY md5(id::text) LIMIT 2000",
      [id],
    );
    return { id, token, shipmentIds: shipments.rows.map((row) => row.id) };
  };
  const large = await add(0);
  const small: LoadAccount[] = [];
  for (let place = 1; place <= smallAccounts; place++) {
    const account = await add(place);
    if (account !== null && account.shipmentIds.length > 0) small.push(account);
  }
  if (large === null || small.length === 0) {
    throw new Error("This database was not filled by `npm run seed:large`.");
  }
  return { large, small, all: [large, ...small] };
}

export type LoadAccounts = Awaited<ReturnType<typeof addAccounts>>;
