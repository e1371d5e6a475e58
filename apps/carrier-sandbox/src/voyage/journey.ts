import type { Place } from "../world/places.ts";
import type { Vessel } from "../world/vessels.ts";
import type { Container } from "./shipment.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Boxes move one after the other: how long after the first of `count` the one at `index` does. */
export function behindFirstBoxMs(index: number, count: number): number {
  return index * Math.min(25 * minuteMs, (5 * hourMs) / count);
}

/** Departure and arrival of a leg, simulated epoch milliseconds. */
export interface Span {
  readonly departure: number;
  readonly arrival: number;
}

/** What carries the boxes over a leg. */
export interface Carriage {
  readonly mode: "VESSEL" | "BARGE" | "RAIL";
  /** Null for barges and trains: DCSA knows only ships with an IMO number. */
  readonly vessel: Vessel | null;
  readonly voyage: string;
  readonly service: string;
}

/** One stretch on one means of transport. */
export interface Leg {
  /** Names the leg within its shipment. */
  readonly key: string;
  /** Position on the way, from 1. */
  readonly position: number;
  readonly carriage: Carriage;
  readonly from: Place;
  readonly to: Place;
  readonly containers: readonly Container[];
  /** When the line first tells of it. */
  readonly announcedAt: number;
  readonly planned: Span;
  /** What really happens; null when the leg never takes place. */
  readonly actual: Span | null;
  /** From here on the line no longer shows the leg's plan and estimates; null when it always does. */
  readonly droppedAt: number | null;
  /** How many estimates of the arrival the line gives on the way. */
  readonly estimates: number;
}

/** A box's stay with the customer at one end of the way. */
export interface Haulage {
  readonly place: Place;
  /** When the first box moves. */
  readonly at: number;
}

/** A shipment's whole way. A part is null when it never happens. */
export interface Journey {
  readonly emptyOut: Haulage | null;
  readonly fullIn: Haulage | null;
  readonly legs: readonly Leg[];
  readonly fullOut: Haulage | null;
  readonly emptyIn: Haulage | null;
}

/** Boxes are aboard this long before the departure, the last one at the latest. */
export const loadingBeforeDepartureMs = 7 * hourMs;
/** The first box leaves the ship or train this long after the arrival. */
export const dischargeAfterArrivalMs = 14 * hourMs;
