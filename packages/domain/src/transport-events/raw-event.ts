import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import type { VoyageEnds } from "./raw-event-milestone.ts";
import type { TransportEventName } from "./transport-event.ts";

/** A fact as the source reported it, with its milestone. */
export interface ReportedFact {
  readonly id: string;
  readonly fact: Omit<Observation, "id" | "observedAt">;
  readonly observedAt: Instant;
  /** Null when it has no milestone. */
  readonly event: TransportEventName | null;
  readonly portId: string | null;
  readonly metroAreaId: string | null;
  readonly vesselId: string | null;
  readonly timeZone: string | null;
  /** Name of the port or inland place in the directory. */
  readonly placeName: string | null;
}

/** A reported fact with its position among those of its container, and the data of its milestone's name. */
export interface RawEvent extends ReportedFact {
  readonly containerId: string;
  /** Position from 0 in the order of the reported times. */
  readonly index: number;
  readonly voyage: VoyageEnds;
  readonly carrierScac: string;
  readonly carrierName: string | null;
}
