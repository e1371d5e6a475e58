import { hash } from "node:crypto";
import { TrackingError } from "@svc/domain";
import type { SessionRepository, TokenOwner, TokenRepository } from "@svc/persistence";

/** Who a request speaks for. */
export type Caller = TokenOwner;

/** Throws `TrackingError` `unauthorized`: the same for a missing, malformed, unknown, revoked or expired token. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

const schemeAndToken = /^(?:token|bearer) +([\x21-\x7e]{1,200})$/i;
/** So soon a revoked token is refused by every process, and so seldom a busy token costs a statement. */
const rememberedForMs = 1_000;
const rememberedAtMost = 10_000;

/**
 * By API token, or by the session of the web application, which does here in a person's name what the person may do.
 * A session comes in the Authorization header like a token: the API reads no cookie, so no other site can use one.
 */
export function createAuthenticate(options: {
  tokens: Pick<TokenRepository, "authenticate">;
  sessions: Pick<SessionRepository, "authenticate">;
  appUrl: string;
}): Authenticate {
  const remembered = new Map<string, { caller: Promise<Caller | null>; askedAtMs: number }>();

  const lookUp = async (sha256: Buffer): Promise<Caller | null> =>
    (await options.tokens.authenticate(sha256)) ?? (await options.sessions.authenticate(sha256));

  /** Those who ask while the answer is on its way wait for the same one. */
  const find = (token: string): Promise<Caller | null> => {
    const key = hash("sha256", token, "base64");
    const known = remembered.get(key);
    // The time of asking counts, not that of the answer: the answer may already be old when it arrives.
    if (known && Date.now() - known.askedAtMs < rememberedForMs) return known.caller;
    const asked = { askedAtMs: Date.now(), caller: lookUp(Buffer.from(key, "base64")) };
    if (remembered.size >= rememberedAtMost) remembered.clear();
    remembered.set(key, asked);
    const forget = (): void => {
      if (remembered.get(key) === asked) remembered.delete(key);
    };
    asked.caller.then((caller) => caller ?? forget(), forget);
    return asked.caller;
  };

  return async (authorization) => {
    const token = schemeAndToken.exec(authorization?.trim() ?? "")?.[1];
    const caller = token === undefined ? null : await find(token);
    if (caller) return caller;
    throw TrackingError.of(
      "unauthorized",
      `Send a valid API token: "Authorization: Token <API_KEY>". Tokens are made in the dashboard at ${options.appUrl}.`,
      { source: { header: "Authorization" } },
    );
  };
}
