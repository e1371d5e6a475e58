import { type Database, sha256 } from "@svc/persistence";
import { createSignInAttempts } from "@svc/persistence/access";
import { networkOf } from "@svc/service-kit";
import type { Response } from "express";

/** Attempts in 15 minutes, of all processes together. */
interface LimitSizes {
  /** Limit of one client network. Higher than the limit per user, because an office may share one address. */
  readonly perAddress: number;
  /** Limit for one user, over all addresses. Null: no limit. */
  readonly perUser: number | null;
}

/** Sizes of each limit; each has its own counters. */
const sizes = {
  password: { perAddress: 20, perUser: 10 },
  code: { perAddress: 20, perUser: 10 },
  /** Limits of reset mails, perhaps to a user who did not request one. */
  reset: { perAddress: 20, perUser: 3 },
  /** Limits of returns from a provider, each of which costs a request to it. */
  provider: { perAddress: 60, perUser: null },
} as const satisfies Record<string, LimitSizes>;

/** Slows down the guessing of passwords and codes. */
export interface LoginLimits {
  /**
   * Counts an attempt before what was entered is verified. `user`: e-mail address or id, whether known or not.
   * @returns the seconds to wait, or null when the attempt is allowed.
   */
  begin(address: string, user: string): Promise<number | null>;
  /** Cancels an attempt that was begun and not verified. */
  cancel(address: string, user: string): Promise<void>;
  /** Resets the attempts of this user after a successful one, which does not count for the address either. */
  succeed(address: string, user: string): Promise<void>;
}

export function createLoginLimits(database: Database, what: keyof typeof sizes): LoginLimits {
  const { perAddress, perUser } = sizes[what];
  const attempts = createSignInAttempts(database);
  const hash = (kind: string, value: string) => sha256(`${what}:${kind}:${value}`);
  const addressKey = (address: string) => hash("address", networkOf(address));
  const userKey = (user: string) => hash("user", user.toLowerCase());
  return {
    begin: (address, user) =>
      attempts.begin([
        { key: addressKey(address), atMost: perAddress },
        ...(perUser === null ? [] : [{ key: userKey(user), atMost: perUser }]),
      ]),
    async cancel(address, user) {
      await attempts.takeBack(addressKey(address));
      if (perUser !== null) await attempts.takeBack(userKey(user));
    },
    async succeed(address, user) {
      await attempts.takeBack(addressKey(address));
      if (perUser !== null) await attempts.forget(userKey(user));
    },
  };
}

/** The problem of a form with too many attempts, with the header that says when the next one is allowed. */
export function refuseAttempts(response: Response, waitSeconds: number): string {
  response.set("Retry-After", String(waitSeconds));
  return `Too many attempts. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`;
}
