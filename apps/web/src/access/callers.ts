import { hash } from "node:crypto";
import { instant, TrackingError } from "@svc/domain";
import type { SessionOwner, SessionRepository, TokenRepository } from "@svc/persistence";
import { rememberBriefly } from "@svc/service-kit";
import type { Request } from "express";
import { apiTokenOf } from "../http/api-token.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** Who a request speaks for. */
export interface Caller {
  readonly accountId: string;
  /** Null: a program with an API token. */
  readonly user: Pick<SessionOwner, "userId" | "email" | "companyName" | "role"> | null;
}

export interface Callers {
  /**
   * By API token when one is sent, else by the session's cookie; null when the request says nothing valid of either.
   * Throws `TrackingError` `unauthorized` for a token that opens nothing and `forbidden` for one that may not read.
   */
  identify(request: Request): Promise<Caller | null>;
}

/** As the API does: so soon a revoked token opens nothing. Sessions are asked for each time: who logs out is out at once. */
const rememberedTokens = { forMs: 1_000, atMost: 10_000 };

export function createCallers(options: {
  readonly tokens: TokenRepository;
  readonly sessions: SessionRepository;
  readonly cookie: SessionCookie;
}): Callers {
  const { tokens, sessions, cookie } = options;

  const findOwner = rememberBriefly((sha256) => tokens.authenticate(Buffer.from(sha256, "base64")), rememberedTokens);

  const byToken = async (token: string): Promise<Caller> => {
    const owner = await findOwner(hash("sha256", token, "base64"));
    const source = { header: "Authorization" };
    if (!owner) throw TrackingError.of("unauthorized", "This API token is unknown, revoked or expired.", { source });
    if (!owner.scopes.includes("read")) {
      throw TrackingError.of("forbidden", 'This API token lacks the scope "read".', { source });
    }
    return { accountId: owner.accountId, user: null };
  };

  return {
    async identify(request) {
      const token = apiTokenOf(request);
      if (token !== null) return byToken(token);
      const tokenSha256 = cookie.read(request);
      const owner = tokenSha256 && (await sessions.findOwner(tokenSha256, instant(Date.now())));
      return owner ? { accountId: owner.accountId, user: owner } : null;
    },
  };
}
