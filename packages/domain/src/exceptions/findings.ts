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

  /** Counts whole days since a time; the count changes a day later. */
  daysSince(at: Instant): number {
    const days = Math.floor(msBetween(at, this.#now) / dayMs);
    this.changesAt(addMs(at, (days + 1) * dayMs));
    return days;
  }

  result(): EvaluatedExceptions {
    const found = this.#found.toSorted((one, other) => exceptionPriority(other) - exceptionPriority(one));
    return { found, nextCheckAt: this.#nextCheckAt };
  }
}
