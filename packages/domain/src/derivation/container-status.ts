import type { ContainerStatus } from "../containers/container.ts";
import type { DerivedTransportEvent } from "./derived-shipment.ts";
import { compareEvents } from "./milestone.ts";

type StatusEvent = Pick<DerivedTransportEvent, "event" | "milestoneKey" | "occurredAt">;

export interface StatusFacts {
  /** Everything that happened, in any order. */
  readonly events: readonly StatusEvent[];
  readonly hasInlandDestination: boolean;
  /** What the terminal says; null: it says nothing. */
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
 * `current_status` from everything known to have happened: the first line that is true. Being a function of the facts and
 * not of the status before, it needs no care for facts that arrive late, are corrected or withdrawn.
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
  // A terminal lists what it expects, too: that a box at sea cannot be picked up says nothing.
  if (isAvailableForPickup === false && (isLanded || hasMovedInland)) return "not_available";
  if (isLanded && hasInlandDestination && !hasMovedInland) return "awaiting_inland_transfer";
  if (isLanded || hasMovedInland) return "grounded";
  return events.some(({ event }) => atSea.has(event)) ? "on_ship" : "new";
}

/** Taken out full, and not only from the port to a train or an inland terminal. */
function isPickedUp(events: readonly StatusEvent[]): boolean {
  const out = events.filter(({ event }) => event === "full_out");
  if (out.some(({ milestoneKey }) => milestoneKey === "full_out:destination")) return true;
  const movedInlandAt = events.filter(({ event }) => inland.has(event)).map(({ occurredAt }) => occurredAt);
  return out.some((event) => !movedInlandAt.some((at) => at >= event.occurredAt));
}

/** The last thing known of its way by rail is not that it was unloaded. */
function isOnTrain(events: readonly StatusEvent[]): boolean {
  const rail = events.filter(({ event }) => onTrain.has(event) || event === "rail_unloaded");
  const last = rail.toSorted(compareEvents).at(-1);
  return last !== undefined && onTrain.has(last.event);
}
