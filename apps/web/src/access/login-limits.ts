import { networkOf } from "@svc/service-kit";

const windowMs = 15 * 60_000;
interface LimitSizes {
  /** Higher than the limit per user, because an office may share one address. */
  readonly perAddress: number;
  /** For one user, from all addresses together. */
  readonly perEmail: number;
}
const signIns: LimitSizes = { perAddress: 20, perEmail: 10 };
/** Each is a mail, perhaps to a user who did not ask for it. */
export const passwordResets: LimitSizes = { perAddress: 20, perEmail: 3 };
const rememberedAtMost = 20_000;

interface Attempts {
  count: number;
  readonly atMost: number;
  readonly until: number;
}

/** Slows down password guessing. The limit is per process: with several processes, each allows as many attempts. */
export interface LoginLimits {
  /** Counts an attempt before its password is verified. Returns the seconds to wait, or null when it is allowed. */
  begin(address: string, email: string): number | null;
  /** Resets the attempts of this user after a successful one, which does not count for the address either. */
  succeed(address: string, email: string): void;
}

export function createLoginLimits(now: () => number, { perAddress, perEmail }: LimitSizes = signIns): LoginLimits {
  const attempts = new Map<string, Attempts>();

  /** Evicts the oldest window first, which also ends first. Windows that block an attempt are evicted last. */
  const makeRoom = (): void => {
    if (attempts.size < rememberedAtMost) return;
    for (const [key, { count, atMost, until }] of attempts) {
      if (count < atMost || until <= now()) return void attempts.delete(key);
    }
    const [oldest = ""] = attempts.keys();
    attempts.delete(oldest);
  };

  const current = (key: string, atMost: number): Attempts => {
    const known = attempts.get(key);
    if (known && known.until > now()) return known;
    attempts.delete(key);
    makeRoom();
    const fresh = { count: 0, atMost, until: now() + windowMs };
    attempts.set(key, fresh);
    return fresh;
  };

  const ofAddress = (address: string) => current(`address:${networkOf(address)}`, perAddress);
  const emailKey = (email: string) => `email:${email.toLowerCase()}`;

  return {
    begin(address, email) {
      const both = [ofAddress(address), current(emailKey(email), perEmail)];
      const until = Math.max(0, ...both.map(({ count, atMost, until }) => (count >= atMost ? until : 0)));
      if (until > 0) return Math.ceil((until - now()) / 1_000);
      for (const one of both) one.count++;
      return null;
    },
    succeed(address, email) {
      const byAddress = ofAddress(address);
      byAddress.count = Math.max(0, byAddress.count - 1);
      attempts.delete(emailKey(email));
    },
  };
}
