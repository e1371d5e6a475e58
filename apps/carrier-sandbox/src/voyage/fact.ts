import { compareText } from "@svc/domain";
import type { DcsaEvent } from "../dcsa/event-schema.ts";
import { localDateTime } from "../dcsa/local-time.ts";
import { stableUuid } from "../random.ts";

/** One event of a shipment, and when the carrier publishes it. Times are simulated epoch milliseconds. */
export interface Fact {
  /** Unique within the shipment. */
  readonly key: string;
  /** Time from which the carrier returns the event. */
  readonly publishedAt: number;
  /** Time from which the carrier no longer returns the event; null: it is never withdrawn. */
  readonly withdrawnAt: number | null;
  /** The time of the event, and the IANA time zone in which it is written. */
  readonly at: number;
  readonly timeZone: string;
  readonly booking: string;
  readonly billOfLading: string;
  /** The containers of the event; empty for documents of the whole shipment. */
  readonly containers: readonly string[];
  readonly event: DcsaEvent;
}

/** The facts that the carrier returns at a time, in the order given. */
export function publishedFactsAt(facts: readonly Fact[], now: number): readonly Fact[] {
  return facts.filter((fact) => fact.publishedAt <= now && (fact.withdrawnAt === null || fact.withdrawnAt > now));
}

/** Oldest publication first, then by key, so that the order is deterministic. */
export function sortByPublication(facts: readonly Fact[]): readonly Fact[] {
  return facts.toSorted((one, other) => one.publishedAt - other.publishedAt || compareText(one.key, other.key));
}

/**
 * A copy of a fact as a separate message, published at another time or with another event time. `createdAt` is the
 * creation time in the event; default: the time of publication.
 */
export function republish(
  fact: Fact,
  change: {
    readonly key: string;
    readonly at?: number;
    readonly publishedAt: number;
    readonly createdAt?: number;
    readonly withdrawnAt?: number;
  },
): Fact {
  const { key, publishedAt, at = fact.at, createdAt = publishedAt, withdrawnAt = null } = change;
  const event = {
    ...fact.event,
    eventID: stableUuid(`${fact.billOfLading}/${key}`),
    eventDateTime: localDateTime(at, fact.timeZone),
    eventCreatedDateTime: new Date(createdAt).toISOString(),
  };
  return { ...fact, key, at, publishedAt, withdrawnAt, event };
}
