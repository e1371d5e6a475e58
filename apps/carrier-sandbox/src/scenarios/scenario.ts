import type { FaultRule } from "../faults/fault.ts";
import type { Fact } from "../voyage/fact.ts";
import type { Shipment } from "../voyage/shipment.ts";

/** Course of the containers' stay at the terminal of pickup, besides discharge and gate-out. */
export type TerminalScenario =
  /** Customs hold the first container, inspect it for a fee and release it after its last free day. */
  | "customs_hold"
  /** The freight is not paid until two days after the discharge. */
  | "freight_hold"
  /** Congestion: the last free day is postponed by three days. */
  | "last_free_day_moved";

/** The course of every shipment with a given three-letter code in its number. */
export interface Scenario {
  /** The three-letter code. */
  readonly code: string;
  /** One sentence, listed in docs/sandbox.md and by `GET /_sandbox/scenarios`. */
  readonly description: string;
  /** All events that the carrier ever publishes about a shipment, in any order. A pure function. */
  readonly timeline: (shipment: Shipment) => readonly Fact[];
  /** Number of containers; one to three at random when absent. */
  readonly containerCount?: number;
  /** The faults of the carrier's server in requests for the number. */
  readonly faults?: FaultRule;
  /** Special events at the terminal of pickup; none when absent. */
  readonly terminal?: TerminalScenario;
  /** The carrier withdraws some events; without this, it only adds events. */
  readonly withdraws?: boolean;
  /** The carrier writes times without offset or time of day, which the standard forbids. */
  readonly writesIncompleteTimes?: boolean;
}
