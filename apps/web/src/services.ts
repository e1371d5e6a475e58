import { addressRanges } from "@svc/egress";
import { createSecretBox } from "@svc/persistence";
import { createSecondFactorRepository, type SecondFactorRepository } from "@svc/persistence/access";
import { countOpenExceptions } from "@svc/persistence/exceptions";
import { createSessionRepository, type SessionRepository } from "@svc/persistence/sessions";
import { createAccountTokenRepository, createTokenRepository, findKnownTokens } from "@svc/persistence/tokens";
import { type Callers, createCallers, openExceptionsMax } from "./access/callers.ts";
import { createLoginLimits, type LoginLimits } from "./access/login-limits.ts";
import type { SecretCookie } from "./access/secret-cookie.ts";
import { createSessionCookie } from "./access/session-cookie.ts";
import { createSetup, type Setup } from "./access/setup.ts";
import { createStartSession, type StartSession } from "./access/start-session.ts";
import { createMemberEmails, type MemberEmails } from "./account/member-emails.ts";
import { createSecondStep, type SecondStep } from "./two-factor/second-step.ts";
import type { WebOptions } from "./web-options.ts";

/** What the routes of features may use. Each feature names its part: `Pick<Services, "apiBaseUrl" | "clock">`. */
export interface Services extends WebOptions {
  readonly providers: NonNullable<WebOptions["providers"]>;
  readonly deniedNetworks: NonNullable<WebOptions["deniedNetworks"]>;
  readonly sessions: SessionRepository;
  readonly cookie: SecretCookie;
  readonly callers: Callers;
  readonly members: MemberEmails;
  /** The tokens of an account, and when each was last used. */
  readonly listTokens: (accountId: string) => Promise<readonly { readonly lastUsedAt: string | null }[]>;
  readonly setup: Setup;
  readonly startSession: StartSession;
  /** Limits of attempts with a password. */
  readonly loginLimits: LoginLimits;
  /** Null without the key that encrypts the secrets of two-factor authentication. */
  readonly factors: SecondFactorRepository | null;
  readonly secondStep: SecondStep;
}

export function createServices(options: WebOptions): Services {
  const { database, appUrl, clock, secretKey } = options;
  const { sql } = database;
  const sessions = createSessionRepository(sql);
  const cookie = createSessionCookie(appUrl);
  const startSession = createStartSession(sessions, cookie);
  const factors = secretKey ? createSecondFactorRepository(database, createSecretBox(secretKey)) : null;
  const codeLimits = createLoginLimits(database, "code");
  return {
    ...options,
    providers: options.providers ?? [],
    deniedNetworks: options.deniedNetworks ?? addressRanges([]),
    sessions,
    cookie,
    callers: createCallers({
      tokens: createTokenRepository(sql),
      findKnownTokens: (digests) => findKnownTokens(sql, digests),
      sessions,
      cookie,
      keepsMail: options.caughtMailFolder !== undefined,
      countOpenExceptions: (accountId, userId) =>
        countOpenExceptions(sql, accountId, { userId, now: clock.now(), atMost: openExceptionsMax + 1 }),
    }),
    members: createMemberEmails(database),
    listTokens: createAccountTokenRepository(sql).list,
    setup: createSetup({ ...options, startSession }),
    startSession,
    loginLimits: createLoginLimits(database, "password"),
    factors,
    secondStep: createSecondStep({ appUrl, sql, sessions, factors, limits: codeLimits, startSession }),
  };
}
