import type { CarrierCredentials } from "@svc/domain/carrier-connections";
import type { SecretBox } from "../secret-box.ts";
import type { Sql, Statement } from "../sql.ts";

const find: Statement = {
  name: "carrier-connections.credentials",
  text: `SELECT sealed_credentials AS sealed, row_version AS version FROM carrier_connections WHERE account_id = $1 AND id = $2`,
};

/** Decrypts the credentials for a poll. Null when the connection was deleted. Throws when no key decrypts them. */
export async function findConnectionCredentials(
  sql: Sql,
  box: SecretBox,
  accountId: string,
  id: string,
): Promise<{ readonly credentials: CarrierCredentials; readonly version: number } | null> {
  const [row] = await sql.rows<{ sealed: Buffer; version: number }>(find, [accountId, id]);
  return row ? { credentials: JSON.parse(box.open(row.sealed)) as CarrierCredentials, version: row.version } : null;
}
