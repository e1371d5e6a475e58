import { hash } from "node:crypto";
import { TrackingError } from "@svc/domain";
import type { SessionRepository, TokenOwner, TokenRepository } from "@svc/persistence";
import { rememberBriefly } from "@svc/service-kit";

/** Who a request speaks for. */
export type Caller = TokenOwner;

/** Throws `TrackingError` `unauthorized`: the same for a missing, malformed, unknown, revoked or expired token. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

const schemeAndToken = /^(?:token|bearer) +([\x21-\x7e]{1,200})$/i;
/** So soon a revoked token is refused by every process, and so seldom a busy token costs a statement. */
const remembered = { forMs: 1_000, atMost: 10_000 };

/**
 * By API token, or by the session of the web application, which does here in a person's name what the person may do.
 * A session comes in the Authorization header like a token: the API reads no cookie, so no other site can use one.
 */
export function createAuthenticate(options: {
  tokens: Pick<TokenRepository, "authenticate">;
  sessions: Pick<SessionRepository, "authenticate">;
  appUrl: string;
}): Authenticate {
  const find = rememberBriefly<Caller>(async (sha256) => {
    const digest = Buffer.from(sha256, "base64");
    return (await options.tokens.authenticate(digest)) ?? (await options.sessions.authenticate(digest));
  }, remembered);

  return async (authorization) => {
    const token = schemeAndToken.exec(authorization?.trim() ?? "")?.[1];
    const caller = token === undefined ? null : await find(hash("sha256", token, "base64"));
    if (caller) return caller;
    throw TrackingError.of(
      "unauthorized",
      `Send a valid API token: "Authorization: Token <API_KEY>". Tokens are made in the dashboard at ${options.appUrl}.`,
      { source: { header: "Authorization" } },
    );
  };
}
