import type { Instant } from "../instant.ts";
import type { Derived } from "./derived-shipment.ts";
import { compareTime, newest, type Statement } from "./statement.ts";

/** A value as a statement gives it. */
export function derivedFrom<T>(statement: Statement, rule: string, value: T): Derived<T> {
  const { id, dataSource } = statement.observation;
  return { value, rule, observationId: id, dataSource };
}

/** The time that a statement tells. */
export function timeOf(statement: Statement, rule: string): Derived<Instant> {
  return derivedFrom(statement, rule, statement.observation.eventAt);
}

export function earliestOf(statements: readonly Statement[]): Statement | null {
  return statements.reduce<Statement | null>(
    (first, one) => (first === null || compareTime(one, first) < 0 ? one : first),
    null,
  );
}

export function latestOf(statements: readonly Statement[]): Statement | null {
  return statements.reduce<Statement | null>(
    (last, one) => (last === null || compareTime(one, last) > 0 ? one : last),
    null,
  );
}

export function newestOf(statements: readonly Statement[]): Statement | null {
  return statements.reduce<Statement | null>(newest, null);
}

type Optional<T> = { readonly [Key in keyof T]?: T[Key] | null | undefined };
type Present<T> = { readonly [Key in keyof T]?: NonNullable<T[Key]> };

/** Removes null and undefined values: an absent key means unknown. */
export function present<T extends object>(values: Optional<T>): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Present<T>;
}
