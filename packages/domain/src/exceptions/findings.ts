import { addMs, dayMs, type Instant, msBetween } from "../instant.ts";
import {
  type ExceptionDetails,
  type ExceptionKind,
  type ExceptionSeverity,
  exceptionPriority,
  type FoundException,
} from "./exception.ts";

export interface EvaluatedExceptions {
  /** The most urgent first. */
  readonly found: readonly FoundException[];
  /** When time alone changes the result; null: only a change of the facts does. */
  readonly nextCheckAt: Instant | null;
}

/** Collects what the rules find at a time. */
export class Findings {
  readonly #found: FoundException[] = [];
  #nextCheckAt: Instant | null = null;
  readonly #now: Instant;

  constructor(now: Instant) {
    this.#now = now;
  }

  add(kind: ExceptionKind, severity: ExceptionSeverity, details: ExceptionDetails, containerId: string | null): void {
    this.#found.push({ kind, severity, details, containerId });
  }

  /** The result changes at that time, if it lies ahead. */
  changesAt(at: Instant | null): void {
    if (at !== null && at > this.#now && (this.#nextCheckAt === null || at < this.#nextCheckAt)) this.#nextCheckAt = at;
  }

  /** Counts whole days since a time; the result changes with the count. */
  daysSince(at: Instant): number {
    this.changesDaily(at);
    return this.#wholeDaysSince(at);
  }

  /** The result changes with the count of whole days since a time. */
  changesDaily(since: Instant): void {
    this.changesAt(addMs(since, (this.#wholeDaysSince(since) + 1) * dayMs));
  }

  #wholeDaysSince(at: Instant): number {
    return Math.floor(msBetween(at, this.#now) / dayMs);
  }

  result(): EvaluatedExceptions {
    const found = this.#found.toSorted((one, other) => exceptionPriority(other) - exceptionPriority(one));
    return { found, nextCheckAt: this.#nextCheckAt };
  }
}
