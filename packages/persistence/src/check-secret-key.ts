import type { SecretBox } from "./secret-box.ts";
import type { Sql, Statement } from "./sql.ts";

const sampled: Statement = {
  name: "secrets.sample",
  text: `
    (SELECT sealed_secret AS sealed FROM webhooks WHERE active AND deleted_at IS NULL ORDER BY id DESC LIMIT 5)
    UNION ALL
    (SELECT sealed_credentials FROM carrier_connections ORDER BY id DESC LIMIT 5)
    UNION ALL
    (SELECT sealed_secret FROM user_totp ORDER BY created_at DESC LIMIT 5)`,
};

/**
 * Throws when the box decrypts none of the newest secrets, because with another key every delivery and every poll with
 * an account's own credentials would fail. Does not throw when the database is unavailable; the service waits for it.
 */
export async function checkSecretKey(sql: Sql, box: SecretBox): Promise<void> {
  const rows = await sql.rows<{ sealed: Buffer }>(sampled, []).catch(() => []);
  const opens = ({ sealed }: { sealed: Buffer }): boolean => {
    try {
      box.open(sealed);
      return true;
    } catch {
      return false;
    }
  };
  if (rows.length > 0 && !rows.some(opens))
    throw new Error(
      "SVC_SECRET_KEY opens none of the stored secrets. Give every service the key with which they were sealed.",
    );
}
