import type { ContainerStatus } from "../containers/container.ts";
import type { DerivedTransportEvent } from "./derived-shipment.ts";
import { compareEvents } from "./milestone.ts";

type StatusEvent = Pick<DerivedTransportEvent, "event" | "milestoneKey" | "occurredAt">;

export interface StatusFacts {
  /** All actual events, in any order. */
  readonly events: readonly StatusEvent[];
  readonly hasInlandDestination: boolean;
  /** Availability reported by the terminal; null: not reported. */
  readonly isAvailableForPickup: boolean | null;
}

const atSea = new Set([
  "vessel_loaded",
  "vessel_departed",
  "transshipment_arrived",
  "transshipment_discharged",
  "transshipment_loaded",
  "transshipment_departed",
  "vessel_arrived",
  "vessel_berthed",
]);
const onTrain = new Set(["rail_loaded", "rail_departed", "rail_arrived"]);
const inland = new Set([...onTrain, "rail_unloaded", "arrived_at_inland_destination"]);

/**
 * `current_status`: the first matching condition wins. It is computed from all known events and not from the previous
 * status, so events that arrive late, are corrected or are withdrawn need no special handling.
 */
export function containerStatus({ events, hasInlandDestination, isAvailableForPickup }: StatusFacts): ContainerStatus {
  const happened = new Set<string>(events.map(({ event }) => event));
  if (happened.has("empty_in")) return "empty_returned";
  if (happened.has("delivered")) return "delivered";
  if (isPickedUp(events)) return "picked_up";
  if (isOnTrain(events)) return "on_rail";
  if (isAvailableForPickup === true) return "available";
  const isLanded = happened.has("vessel_discharged");
  const hasMovedInland = events.some(({ event }) => inland.has(event));
  // Terminals also list containers that are still at sea: "not available" has no meaning for those.
  if (isAvailableForPickup === false && (isLanded || hasMovedInland)) return "not_available";
  if (isLanded && hasInlandDestination && !hasMovedInland) return "awaiting_inland_transfer";
  if (isLanded || hasMovedInland) return "grounded";
  return events.some(({ event }) => atSea.has(event)) ? "on_ship" : "new";
}

/** Gated out full for delivery: not merely moved from the port to a train or an inland terminal. */
function isPickedUp(events: readonly StatusEvent[]): boolean {
  const out = events.filter(({ event }) => event === "full_out");
  if (out.some(({ milestoneKey }) => milestoneKey === "full_out:destination")) return true;
  const movedInlandAt = events.filter(({ event }) => inland.has(event)).map(({ occurredAt }) => occurredAt);
  return out.some((event) => !movedInlandAt.some((at) => at >= event.occurredAt));
}

/** The latest rail event is not the unloading. */
function isOnTrain(events: readonly StatusEvent[]): boolean {
  const rail = events.filter(({ event }) => onTrain.has(event) || event === "rail_unloaded");
  const last = rail.toSorted(compareEvents).at(-1);
  return last !== undefined && onTrain.has(last.event);
}
