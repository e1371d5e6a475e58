import type { Instant } from "@svc/domain";
import { credentialOf, type SubjectClaim } from "@svc/persistence/tracking";

interface Slots {
  count: number;
  /** Number of used slots by account, for a credential that accounts share. */
  readonly accounts: Map<string, number>;
  /** Time until which it is closed, on the clock of `realNow`. */
  closedUntilMs: number;
  /** When the circuit breaker allows a probe, on the tracking clock. */
  openUntil: Instant | null;
  /** How long `openUntil` is believed, on the clock of `realNow`: another worker may find that the carrier is back. */
  believedUntilMs: number;
}

const believedForMs = 60_000;

/**
 * Limits the concurrent polls of each credential in this process: a slow carrier cannot occupy every slot, and no
 * subject of a paused carrier is claimed. The state here may be stale; the permit decides.
 */
export class CarrierSlots {
  readonly #slots = new Map<string, Slots>();
  /** Accounts of the last claim and of the last permitted poll, by shared credential. */
  readonly #lastClaimed = new Map<string, string>();
  readonly #lastPermitted = new Map<string, string>();
  readonly #limit: number;
  readonly #realNow: () => number;
  readonly #trackingNow: () => Instant;

  /** @param realNow a monotonic clock, in milliseconds. */
  constructor(limit: number, realNow: () => number, trackingNow: () => Instant) {
    this.#limit = limit;
    this.#realNow = realNow;
    this.#trackingNow = trackingNow;
  }

  /** Free slots of every credential with polls in progress or a pause. */
  free(): ReadonlyMap<string, number> {
    const free = new Map<string, number>();
    for (const [credential, slots] of this.#slots) {
      const isClosed = this.#isClosed(slots);
      if (!isClosed && slots.count === 0) this.#slots.delete(credential);
      else free.set(credential, isClosed ? 0 : Math.max(this.#limit - slots.count, 0));
    }
    return free;
  }

  /** Real milliseconds until the first pause ends; infinite when there is none. */
  nextOpeningInMs(): number {
    const now = this.#realNow();
    const waits = [...this.#slots.values()].map(({ closedUntilMs }) => closedUntilMs - now).filter((ms) => ms > 0);
    return Math.min(...waits, Number.POSITIVE_INFINITY);
  }

  /** Returns the account after which the round robin continues, by shared credential. */
  lastAccounts(): ReadonlyMap<string, string> {
    return this.#lastClaimed;
  }

  claimed({ connection, scac, accountId }: SubjectClaim): void {
    if (connection === null) this.#lastClaimed.set(scac, accountId);
  }

  /** A claim that was denied a permit had no turn: its account is next, not the one after the last that was claimed. */
  decided({ connection, scac, accountId }: SubjectClaim, isPermitted: boolean): void {
    if (connection !== null) return;
    if (isPermitted) this.#lastPermitted.set(scac, accountId);
    else this.#lastClaimed.set(scac, this.#lastPermitted.get(scac) ?? accountId);
  }

  /** Polls in progress by account of each shared credential. */
  inProgress(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return new Map([...this.#slots].map(([credential, { accounts }]) => [credential, accounts]));
  }

  begin(claim: SubjectClaim): void {
    this.#count(claim, 1);
  }

  end(claim: SubjectClaim): void {
    this.#count(claim, -1);
  }

  closeFor(credential: string, ms: number): void {
    const slots = this.#of(credential);
    slots.closedUntilMs = Math.max(slots.closedUntilMs, this.#realNow() + ms);
  }

  closeUntil(credential: string, openUntil: Instant): void {
    const slots = this.#of(credential);
    slots.openUntil = openUntil;
    slots.believedUntilMs = this.#realNow() + believedForMs;
  }

  /** The circuit breaker is closed. */
  open(credential: string): void {
    const slots = this.#slots.get(credential);
    if (slots !== undefined) slots.openUntil = null;
  }

  #isClosed({ closedUntilMs, openUntil, believedUntilMs }: Slots): boolean {
    const now = this.#realNow();
    if (closedUntilMs > now) return true;
    return openUntil !== null && believedUntilMs > now && openUntil > this.#trackingNow();
  }

  #count(claim: SubjectClaim, change: 1 | -1): void {
    const slots = this.#of(credentialOf(claim));
    slots.count += change;
    if (claim.connection !== null) return;
    const count = (slots.accounts.get(claim.accountId) ?? 0) + change;
    if (count === 0) slots.accounts.delete(claim.accountId);
    else slots.accounts.set(claim.accountId, count);
  }

  #of(credential: string): Slots {
    const slots = this.#slots.get(credential) ?? {
      count: 0,
      accounts: new Map(),
      closedUntilMs: 0,
      openUntil: null,
      believedUntilMs: 0,
    };
    this.#slots.set(credential, slots);
    return slots;
  }
}
