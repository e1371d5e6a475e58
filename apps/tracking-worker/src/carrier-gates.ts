import type { CarrierReply } from "@svc/carriers";

/** After so many failures in a row a carrier is only probed, by one poll at a time. */
const failuresUntilProbing = 5;
/** For a carrier that asks for patience and does not say how long. */
const usualPauseMs = 60_000;

interface Gate {
  underWay: number;
  failures: number;
  /** By `realNow`. */
  closedUntil: number;
}

/**
 * How many polls each carrier may get from this process: a slow carrier cannot take every place, one that is down is only
 * probed, and one that asks for patience gets none until its time is over.
 */
export class CarrierGates {
  readonly #gates = new Map<string, Gate>();
  readonly #limit: number;
  readonly #realNow: () => number;

  /** `realNow`: milliseconds that never go back. */
  constructor(limit: number, realNow: () => number) {
    this.#limit = limit;
    this.#realNow = realNow;
  }

  /** Free places of every carrier that has fewer than all. */
  freePlaces(): ReadonlyMap<string, number> {
    return new Map([...this.#gates].map(([scac, gate]) => [scac, this.#freeOf(gate)]));
  }

  begin(scac: string): void {
    this.#gateOf(scac).underWay++;
  }

  /** `outcome` null: the question was not asked to the end. */
  end(scac: string, reply: CarrierReply | null): void {
    const gate = this.#gateOf(scac);
    gate.underWay--;
    if (reply === null) return;
    const isFailure = reply.outcome === "unreachable" || reply.outcome === "unauthorized";
    gate.failures = isFailure ? gate.failures + 1 : 0;
    if (reply.outcome === "rate_limited") gate.closedUntil = this.#realNow() + (reply.retryAfterMs ?? usualPauseMs);
  }

  #freeOf({ underWay, failures, closedUntil }: Gate): number {
    if (closedUntil > this.#realNow()) return 0;
    const limit = failures >= failuresUntilProbing ? 1 : this.#limit;
    return Math.max(limit - underWay, 0);
  }

  #gateOf(scac: string): Gate {
    const gate = this.#gates.get(scac) ?? { underWay: 0, failures: 0, closedUntil: 0 };
    this.#gates.set(scac, gate);
    return gate;
  }
}
