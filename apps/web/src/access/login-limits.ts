const windowMs = 15 * 60_000;
/** Of one address, which may be shared by an office. */
const attemptsPerAddress = 20;
/** For one account, from wherever. */
const attemptsPerEmail = 10;
const rememberedAtMost = 20_000;

interface Attempts {
  count: number;
  readonly until: number;
}

/** Slows down guessing of passwords. Counted in this process: each process of several allows as much. */
export interface LoginLimits {
  /** Counts an attempt before the password is looked at. Answers the seconds to wait, or null when it may go on. */
  begin(address: string, email: string): number | null;
  /** The attempt was right: it and those before it for this user no longer count. */
  succeed(address: string, email: string): void;
}

export function createLoginLimits(now: () => number): LoginLimits {
  const attempts = new Map<string, Attempts>();

  const current = (key: string): Attempts => {
    const known = attempts.get(key);
    if (known && known.until > now()) return known;
    const fresh = { count: 0, until: now() + windowMs };
    attempts.delete(key);
    attempts.set(key, fresh);
    return fresh;
  };

  /** The oldest windows go first, which are also the first to end. */
  const forgetOldest = (): void => {
    for (const key of attempts.keys()) {
      if (attempts.size <= rememberedAtMost) return;
      attempts.delete(key);
    }
  };

  const keysOf = (address: string, email: string) => [`address:${address}`, `email:${email.toLowerCase()}`] as const;

  return {
    begin(address, email) {
      const [byAddress, byEmail] = keysOf(address, email).map(current) as [Attempts, Attempts];
      const blocked = [
        byAddress.count >= attemptsPerAddress && byAddress,
        byEmail.count >= attemptsPerEmail && byEmail,
      ];
      const until = Math.max(0, ...blocked.map((one) => (one ? one.until : 0)));
      if (until > 0) return Math.ceil((until - now()) / 1_000);
      byAddress.count++;
      byEmail.count++;
      forgetOldest();
      return null;
    },
    succeed(address, email) {
      const [addressKey, emailKey] = keysOf(address, email);
      const byAddress = current(addressKey);
      byAddress.count = Math.max(0, byAddress.count - 1);
      attempts.delete(emailKey);
    },
  };
}
