import { instant } from "@svc/domain";
import type { SessionRepository } from "@svc/persistence/sessions";
import type { Response } from "express";
import type { SecretCookie } from "./secret-cookie.ts";

/**
 * Replaces the session of the browser by one of another account of the user. It keeps the identity at the provider, so
 * that a logout there ends it, and expires when the former one would.
 * @returns false, without a change, when the session is no longer valid, or the account requires single sign-on.
 */
export async function switchSession(
  { sessions, cookie }: { readonly sessions: SessionRepository; readonly cookie: SecretCookie },
  response: Response,
  change: { readonly userId: string; readonly from: Buffer; readonly accountId: string },
): Promise<boolean> {
  const { value, sha256 } = cookie.issue();
  const now = Date.now();
  const expiresAt = await sessions.switchAccount({ ...change, to: sha256, now: instant(now) });
  if (expiresAt === null) return false;
  cookie.write(response, value, Date.parse(expiresAt) - now);
  return true;
}
