import type { DcsaEvent } from "../dcsa/event-schema.ts";
import { localDateTime } from "../dcsa/local-time.ts";
import { stableUuid } from "../random.ts";

/** One thing that the line says about a shipment, and when it says it. Times are simulated epoch milliseconds. */
export interface Fact {
  /** Names the statement within its shipment. */
  readonly key: string;
  /** From here on the line tells it. */
  readonly publishedAt: number;
  /** From here on the line no longer tells it; null when it never takes it back. */
  readonly withdrawnAt: number | null;
  /** When it happens or is to happen, and the IANA zone in which the event says so. */
  readonly at: number;
  readonly timeZone: string;
  readonly booking: string;
  readonly billOfLading: string;
  /** The containers that it concerns; empty for the documents of the whole shipment. */
  readonly containers: readonly string[];
  readonly event: DcsaEvent;
}

/** What the line would answer at a moment, oldest statement first. */
export function toldAt(facts: readonly Fact[], now: number): readonly Fact[] {
  return facts.filter((fact) => fact.publishedAt <= now && (fact.withdrawnAt === null || fact.withdrawnAt > now));
}

/** Oldest statement first; the key decides between statements of one moment, so that the order is always the same. */
export function inOrderOfPublication(facts: readonly Fact[]): readonly Fact[] {
  return [...facts].sort(
    (one, other) => one.publishedAt - other.publishedAt || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0),
  );
}

/**
 * The same fact said once more: a message of its own, at another time or about another time. `statedAt` is when the
 * line claims to say it; the moment of publication when not given.
 */
export function restate(
  fact: Fact,
  change: {
    readonly key: string;
    readonly at?: number;
    readonly publishedAt: number;
    readonly statedAt?: number;
    readonly withdrawnAt?: number;
  },
): Fact {
  const { key, publishedAt, at = fact.at, statedAt = publishedAt, withdrawnAt = null } = change;
  const event = {
    ...fact.event,
    eventID: stableUuid(`${fact.billOfLading}/${key}`),
    eventDateTime: localDateTime(at, fact.timeZone),
    eventCreatedDateTime: new Date(statedAt).toISOString(),
  };
  return { ...fact, key, at, publishedAt, withdrawnAt, event };
}
