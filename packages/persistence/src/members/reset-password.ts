import { randomBytes } from "node:crypto";
import { hashPassword } from "../sessions/password.ts";
import type { Sql, Statement } from "../sql.ts";

const passwordBytes = 15;

/** One statement, so that no session of the old password outlives it. */
const resetOne: Statement = {
  name: "users.reset-password",
  text: `
    WITH changed AS (UPDATE users SET password_hash = $2 WHERE lower(email) = lower($1) RETURNING id),
    ended AS (
      UPDATE user_sessions s SET revoked_at = now() FROM changed WHERE s.user_id = changed.id AND s.revoked_at IS NULL)
    SELECT id FROM changed`,
};

/**
 * Gives a user a new random password and ends all their sessions.
 * @returns the password; null when no user has this address.
 */
export async function resetPassword(sql: Sql, email: string): Promise<string | null> {
  const password = randomBytes(passwordBytes).toString("base64url");
  const [user] = await sql.rows<{ id: string }>(resetOne, [email, await hashPassword(password)]);
  return user ? password : null;
}
