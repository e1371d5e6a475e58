import { hourMs, minuteMs } from "@svc/domain";
import type { Place } from "../world/places.ts";
import type { Vessel } from "../world/vessels.ts";
import type { Container } from "./shipment.ts";

/** Containers move one after the other: delay of the one at `index` after the first of `count`. */
export function delayAfterFirstContainerMs(index: number, count: number): number {
  return index * Math.min(25 * minuteMs, (5 * hourMs) / count);
}

/** Departure and arrival of a leg, simulated epoch milliseconds. */
export interface Span {
  readonly departure: number;
  readonly arrival: number;
}

/** The means of transport of a leg. */
export interface Carriage {
  readonly mode: "VESSEL" | "BARGE" | "RAIL";
  /** Null for barges and trains: DCSA identifies vessels by IMO number only. */
  readonly vessel: Vessel | null;
  readonly voyage: string;
  readonly service: string;
}

/** A part of the journey on one means of transport. */
export interface Leg {
  /** Unique within the shipment. */
  readonly key: string;
  /** Position in the journey, from 1. */
  readonly position: number;
  readonly carriage: Carriage;
  readonly from: Place;
  readonly to: Place;
  readonly containers: readonly Container[];
  /** When the carrier first publishes the plan. */
  readonly announcedAt: number;
  readonly planned: Span;
  /** Actual times; null when the leg never takes place. */
  readonly actual: Span | null;
  /** Time from which the carrier no longer publishes the plan and estimates; null: it always does. */
  readonly droppedAt: number | null;
  /** Number of arrival estimates that the carrier publishes during the leg. */
  readonly estimates: number;
  /** The last of them is the actual arrival; by default it still deviates. */
  readonly isLastEstimateExact?: boolean;
}

/** A gate move of the containers at one end of the journey. */
export interface Haulage {
  readonly place: Place;
  /** When the first container moves. */
  readonly at: number;
}

/** The whole journey of a shipment. A part is null when it never takes place. */
export interface Journey {
  readonly emptyOut: Haulage | null;
  readonly fullIn: Haulage | null;
  readonly legs: readonly Leg[];
  readonly fullOut: Haulage | null;
  readonly emptyIn: Haulage | null;
}

/** Loading of the first container begins this long before the departure. */
export const loadingBeforeDepartureMs = 7 * hourMs;
/** The first container is discharged this long after the arrival. */
export const dischargeAfterArrivalMs = 14 * hourMs;
