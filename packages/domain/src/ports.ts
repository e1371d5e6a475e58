import type { Instant } from "./instant.ts";

/** The tracking clock: real time in production, the sandbox carrier's accelerated clock in the demo and tests. */
export interface Clock {
  now(): Instant;
}

/** New ids: UUID version 7 (docs/contract/decisions.md 1), so that ids sort by creation. */
export interface IdGenerator {
  next(): string;
}
