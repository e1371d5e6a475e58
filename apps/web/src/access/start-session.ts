import { instant } from "@svc/domain";
import type { SessionIdentity, SessionRepository, SignInMethod } from "@svc/persistence/sessions";
import type { Request, Response } from "express";
import type { SecretCookie } from "./secret-cookie.ts";

const sessionMs = 7 * 86_400_000;
const userAgentMax = 300;

/** Starts a session of a user and revokes the session that the browser had before. */
export type StartSession = (
  request: Request,
  response: Response,
  caller: {
    readonly userId: string;
    readonly accountId: string;
    readonly method: SignInMethod;
    /** Identity at the provider, when a provider signed the user in. */
    readonly identity?: SessionIdentity | null;
  },
) => Promise<void>;

export function createStartSession(sessions: SessionRepository, cookie: SecretCookie): StartSession {
  return async (request, response, { userId, accountId, method, identity = null }) => {
    const now = Date.now();
    const before = cookie.read(request);
    if (before) await sessions.revoke(before, instant(now));
    const { value, sha256 } = cookie.issue();
    await sessions.create({
      tokenSha256: sha256,
      userId,
      accountId,
      createdAt: instant(now),
      expiresAt: instant(now + sessionMs),
      userAgent: request.get("user-agent")?.slice(0, userAgentMax) ?? null,
      method,
      identity,
    });
    cookie.write(response, value, sessionMs);
  };
}
