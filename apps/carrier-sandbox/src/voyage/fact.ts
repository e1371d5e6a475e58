import type { DcsaEvent } from "../dcsa/event-schema.ts";

/** One thing that the line says about a shipment, and when it says it. Times are simulated epoch milliseconds. */
export interface Fact {
  /** Names the statement within its shipment. */
  readonly key: string;
  /** From here on the line tells it. */
  readonly publishedAt: number;
  /** From here on the line no longer tells it; null when it never takes it back. */
  readonly withdrawnAt: number | null;
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
