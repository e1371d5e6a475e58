import { hash } from "node:crypto";
import { type MemberAction, mayDo } from "@svc/domain/members";
import { TrackingError } from "@svc/jsonapi";
import { isSecret } from "@svc/persistence";
import type { SessionRepository } from "@svc/persistence/sessions";
import { createKnownTokenCheck, type TokenOwner, type TokenRepository } from "@svc/persistence/tokens";
import { cacheLookups } from "@svc/service-kit";
import type { InvalidTokenLimit } from "../rate-limits/invalid-token-limit.ts";

/** The account and the user or token that a request is made for. */
export type Caller = TokenOwner;

/** A secret lets its reader write (a push) or impersonate the service (a delivery): it is shown to who may do that. */
export const maySeeSecrets = ({ scopes, role }: Pick<Caller, "scopes" | "role">, action: MemberAction): boolean =>
  scopes.includes("write") && mayDo(role, action);

/**
 * `network`: the client's, by which requests without a valid token are limited. Throws `TrackingError` `unauthorized`,
 * the same for a missing, malformed, unknown, revoked or expired token, or `rate_limited` beyond the limit.
 */
export type Authenticate = (authorization: string | undefined, network: string) => Promise<Caller>;

const schemeAndToken = /^(?:token|bearer) +([\x21-\x7e]{1,200})$/i;
const sendToken = `Send a valid API token: "Authorization: Token <API_KEY>".`;
/** Limits of the cache of callers: a revoked token is refused soon, and a busy one costs few statements. */
const cacheLimits = { forMs: 1_000, atMost: 10_000 };
const knownTokenCacheLimits = { forMs: 5_000, atMost: 10_000 };

/**
 * Authenticates a request by its API token, or by the session of the web application, which acts here in the name of
 * its user. A session comes in the Authorization header like a token: the API reads no cookie, so no other site can use
 * one.
 */
export function createAuthenticate(options: {
  tokens: Pick<TokenRepository, "authenticate">;
  sessions: Pick<SessionRepository, "authenticate">;
  findKnownTokens: (digests: readonly Buffer[]) => Promise<readonly Buffer[]>;
  invalidTokens: InvalidTokenLimit;
  appUrl: string;
}): Authenticate {
  const { tokens, sessions, invalidTokens } = options;
  const isKnown = cacheLookups(createKnownTokenCheck(options.findKnownTokens), knownTokenCacheLimits);
  const byToken = cacheLookups((sha256) => tokens.authenticate(Buffer.from(sha256, "base64")), cacheLimits);
  const bySession = cacheLookups((sha256) => sessions.authenticate(Buffer.from(sha256, "base64")), cacheLimits);

  const find = async (token: string, network: string): Promise<Caller | null> => {
    const sha256 = hash("sha256", token, "base64");
    // A valid token is served whatever others send from its address, so past the limit only the lookup becomes cheaper.
    if (invalidTokens.waitSeconds(network) !== null && !(await isKnown(sha256))) return null;
    // A session's secret has a fixed form; API tokens have none: an operator may choose one (SVC_DEMO_TOKEN).
    return (isSecret(token) ? await bySession(sha256) : null) ?? byToken(sha256);
  };

  return async (authorization, network) => {
    const token = schemeAndToken.exec(authorization?.trim() ?? "")?.[1];
    const caller = token === undefined ? null : await find(token, network);
    if (caller) return caller;
    const wait = await invalidTokens.count(network);
    if (wait !== null) {
      throw TrackingError.of(
        "rate_limited",
        `Limit of ${invalidTokens.limit} requests per minute without a valid API token from this address exceeded. ${sendToken} Requests with a valid token are not affected. Retry without one after ${wait} s.`,
        { source: { header: "Authorization" }, meta: { retry_after: wait } },
      );
    }
    throw TrackingError.of("unauthorized", `${sendToken} Create a token in the dashboard at ${options.appUrl}.`, {
      source: { header: "Authorization" },
    });
  };
}
