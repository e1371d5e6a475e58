import type { Instant } from "../instant.ts";
import type { Derived } from "./derived-shipment.ts";
import { compareTime, newest, type SourceEvent } from "./source-event.ts";

/** A value with the provenance of its source event. */
export function derivedFrom<T>(sourceEvent: SourceEvent, rule: string, value: T): Derived<T> {
  const { id, dataSource } = sourceEvent.observation;
  return { value, rule, observationId: id, dataSource };
}

/** The event time of a source event, with its provenance. */
export function derivedTime(sourceEvent: SourceEvent, rule: string): Derived<Instant> {
  return derivedFrom(sourceEvent, rule, sourceEvent.observation.eventAt);
}

export function earliestOf(sourceEvents: readonly SourceEvent[]): SourceEvent | null {
  return sourceEvents.reduce<SourceEvent | null>(
    (first, one) => (first === null || compareTime(one, first) < 0 ? one : first),
    null,
  );
}

export function latestOf(sourceEvents: readonly SourceEvent[]): SourceEvent | null {
  return sourceEvents.reduce<SourceEvent | null>(
    (last, one) => (last === null || compareTime(one, last) > 0 ? one : last),
    null,
  );
}

export function newestOf(sourceEvents: readonly SourceEvent[]): SourceEvent | null {
  return sourceEvents.reduce<SourceEvent | null>(newest, null);
}

type Optional<T> = { readonly [Key in keyof T]?: T[Key] | null | undefined };
type Present<T> = { readonly [Key in keyof T]?: NonNullable<T[Key]> };

/** Removes null and undefined values: an absent key means unknown. */
export function present<T extends object>(values: Optional<T>): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Present<T>;
}

type Every<T> = { readonly [Key in keyof T]-?: T[Key] | null };

/** `present` of an object that must name every key. */
export const everyPresent = <T extends object>(values: Every<T>): Present<T> => present<T>(values);
