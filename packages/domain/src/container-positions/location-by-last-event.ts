import type { ContainerLocation } from "../derivation/derived-shipment.ts";
import type { Instant } from "../instant.ts";
import type { ObservedVessel } from "../observations/observation.ts";

/** The last event of a container, and the port of discharge of its shipment. */
interface LastEvent {
  readonly event: string;
  readonly occurredAt: Instant;
  readonly locode: string | null;
  readonly vessel: ObservedVessel | null;
  readonly podLocode: string | null;
  readonly podEtaAt: Instant | null;
}

const departures: ReadonlySet<string> = new Set(["vessel_departed", "transshipment_departed"]);

/**
 * The location of a container whose shipment was last derived by a version that stored none: a vessel that departed is
 * taken to sail to the port of discharge, because planned transshipments are not among the events.
 */
export function locationByLastEvent(last: LastEvent): ContainerLocation {
  const { event, occurredAt, locode, vessel, podLocode, podEtaAt } = last;
  const isOnLeg = departures.has(event) && locode !== null && podLocode !== null && podLocode !== locode;
  const leg = isOnLeg ? { from: locode, to: podLocode, vessel, departedAt: occurredAt, expectedAt: podEtaAt } : null;
  return { leg, locode };
}
