import { createHash } from "node:crypto";
import { TrackingError } from "@svc/domain";
import type { TokenOwner, TokenRepository } from "@svc/persistence";

/** Who a request speaks for. */
export type Caller = TokenOwner;

/** Throws `TrackingError` `unauthorized`: the same for a missing, malformed, unknown, revoked or expired token. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

const schemeAndToken = /^(?:token|bearer) +([\x21-\x7e]{1,200})$/i;
/** So soon a revoked token is refused by every process, and so seldom a busy token costs a statement. */
const rememberedForMs = 1_000;
const rememberedAtMost = 10_000;

export function createAuthenticate(options: { tokens: TokenRepository; appUrl: string }): Authenticate {
  const remembered = new Map<string, { caller: Caller; askedAtMs: number }>();

  const find = async (token: string): Promise<Caller | null> => {
    const sha256 = createHash("sha256").update(token).digest();
    const key = sha256.toString("base64");
    const known = remembered.get(key);
    if (known && Date.now() - known.askedAtMs < rememberedForMs) return known.caller;
    // The time of asking counts, not that of the answer: the answer may already be old when it arrives.
    const askedAtMs = Date.now();
    const caller = await options.tokens.authenticate(sha256);
    if (!caller) {
      remembered.delete(key);
      return null;
    }
    if (remembered.size >= rememberedAtMost) remembered.clear();
    remembered.set(key, { caller, askedAtMs });
    return caller;
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
