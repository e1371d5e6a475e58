import type { FaultRule } from "../faults/fault.ts";
import type { TerminalStory } from "../terminal/terminal-story.ts";
import type { Fact } from "../voyage/fact.ts";
import type { Shipment } from "../voyage/shipment.ts";

/** The course of every shipment with a given three-letter code in its number. */
export interface Scenario {
  /** The three-letter code. */
  readonly code: string;
  /** One sentence for whoever picks a number. */
  readonly story: string;
  /** All that the line will ever say about a shipment, in any order. A pure function. */
  readonly timeline: (shipment: Shipment) => readonly Fact[];
  /** How many containers; one to three by chance when absent. */
  readonly boxes?: number;
  /** How the line's server misbehaves when it is asked about the number. */
  readonly faults?: FaultRule;
  /** What happens at the terminal that hands the boxes over; nothing special when absent. */
  readonly terminal?: TerminalStory;
  /** The line takes back some of what it said; without this, what it says only ever grows. */
  readonly withdraws?: boolean;
  /** The line writes times in ways that the standard forbids. */
  readonly writesLooseTimes?: boolean;
}
