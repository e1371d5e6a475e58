import { hash } from "node:crypto";
import { instant } from "@svc/domain";
import { type MemberAction, mayDo } from "@svc/domain/members";
import { TrackingError } from "@svc/jsonapi";
import type { SessionOwner, SessionRepository } from "@svc/persistence/sessions";
import { createKnownTokenCheck, type TokenRepository } from "@svc/persistence/tokens";
import { cacheLookups, MemoryWindow, networkOf } from "@svc/service-kit";
import type { Request } from "express";
import { setReaderPreferences } from "../display/reader-preferences.ts";
import { apiTokenOf } from "../http/read-request.ts";
import type { SecretCookie } from "./secret-cookie.ts";

/** The authenticated account and, with a session, user of a request. */
export interface Caller {
  readonly accountId: string;
  /** Null when the request is authenticated by an API token. */
  readonly user: Pick<
    SessionOwner,
    "userId" | "email" | "companyName" | "role" | "hasOtherAccounts" | "method" | "twoFactor" | "preferences"
  > | null;
  /** Whether the installation keeps emails, under Mail, instead of sending them. Absent: it does not. */
  readonly keepsMail?: boolean;
  /** Open exceptions that are the user's or without an owner, for the navigation. Absent: not counted. */
  readonly openExceptions?: number;
}

/** Maximum number of open exceptions that is shown; a larger one has a plus sign. */
export const openExceptionsMax = 99;

/** Whether to offer a member what the action leads to; the forms themselves refuse other roles. */
export const may = ({ user }: Caller, action: MemberAction): boolean => user !== null && mayDo(user.role, action);

export interface Callers {
  /**
   * Authenticates by API token when the request has one, else by session cookie; null without a valid session.
   * Throws `TrackingError` `unauthorized` for an invalid token, `rate_limited` for many from one network, and
   * `forbidden` for one without the scope "read".
   */
  identify(request: Request): Promise<Caller | null>;
}

/**
 * Tokens are cached as in the API, so a revoked token is rejected within a second. Sessions are not cached: signing out
 * takes effect immediately.
 */
const tokenCacheOptions = { forMs: 1_000, atMost: 10_000 };
/** Invalid tokens of a network, as in the API. */
const invalidTokenLimit = { limit: 60, windowMs: 60_000 };

export function createCallers(options: {
  readonly tokens: TokenRepository;
  readonly findKnownTokens: (digests: readonly Buffer[]) => Promise<readonly Buffer[]>;
  readonly sessions: SessionRepository;
  readonly cookie: SecretCookie;
  readonly countOpenExceptions: (accountId: string, userId: string) => Promise<number>;
  readonly keepsMail: boolean;
}): Callers {
  const { tokens, sessions, cookie, countOpenExceptions, keepsMail } = options;

  const findOwner = cacheLookups((sha256) => tokens.authenticate(Buffer.from(sha256, "base64")), tokenCacheOptions);

  const isKnown = createKnownTokenCheck(options.findKnownTokens);
  const invalidTokens = new MemoryWindow(invalidTokenLimit);

  const tooManyInvalid = (resetMs: number): TrackingError => {
    const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
    return TrackingError.of(
      "rate_limited",
      `Limit of ${invalidTokenLimit.limit} requests per minute with an invalid API token from this address exceeded. Retry after ${seconds} s.`,
      { source: { header: "Authorization" }, meta: { retry_after: seconds } },
    );
  };

  /**
   * Counts every token until it is found, so that a flood of invented ones costs few lookups. A valid token is served
   * whatever others send from its address.
   */
  const findCounted = async (sha256: string, network: string) => {
    const { accepted, entry, resetMs } = invalidTokens.take(network);
    if (!accepted && !(await isKnown(sha256))) throw tooManyInvalid(resetMs);
    let isInvalid = false;
    try {
      const owner = await findOwner(sha256);
      isInvalid = owner === null;
      return owner;
    } finally {
      if (accepted && !isInvalid) invalidTokens.refund(network, entry);
    }
  };

  const byToken = async (token: string, network: string): Promise<Caller> => {
    const owner = await findCounted(hash("sha256", token, "base64"), network);
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
      if (token !== null) return byToken(token, networkOf(request.ip ?? ""));
      const tokenSha256 = cookie.read(request);
      const owner = tokenSha256 && (await sessions.findOwner(tokenSha256, instant(Date.now())));
      if (!owner) return null;
      setReaderPreferences(owner.preferences);
      const { accountId, userId } = owner;
      // Events of open pages have no navigation.
      if (!request.accepts("text/html")) return { accountId, user: owner, keepsMail };
      return { accountId, user: owner, keepsMail, openExceptions: await countOpenExceptions(accountId, userId) };
    },
  };
}
