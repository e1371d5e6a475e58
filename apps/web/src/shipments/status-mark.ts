import type { Instant } from "@svc/domain";
import { isAtPort, overviewStatus, withLastArrival } from "@svc/domain/shipments";
import { type ContainerCounts, containerBadge, containerStateText, type Html, shipmentBadge } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { zoneAtPort } from "./container-facts.ts";
import { freeDaysLeft, isPickedUp } from "./last-free-day.ts";

/** Counts containers by the same rules as the rows of shipment overviews. */
function countContainers(shipment: ShipmentRecord, containers: readonly ContainerRecord[]): ContainerCounts {
  const count = (matches: (container: ContainerRecord) => unknown) => containers.filter(matches).length;
  const isHeld = ({ holdsAtPodTerminal }: ContainerRecord) =>
    holdsAtPodTerminal.some(({ status }) => status === "hold");
  return {
    count: containers.length,
    arrived: count((one) => isAtPort(one, shipment)),
    available: count((one) => one.availableForPickup && !isPickedUp(one)),
    held: count((one) => isHeld(one) && !isPickedUp(one)),
    onRail: count(({ currentStatus }) => currentStatus === "on_rail"),
    pickedUp: count(isPickedUp),
  };
}

const isStopped = ({ lineTrackingStoppedAt: at }: ShipmentRecord): boolean => at !== null;

/** What the state of a container of a page follows from. `lastEvent`: the name of its last milestone. */
const factsOf = (container: ContainerRecord, shipment: ShipmentRecord, lastEvent: string | null, now: Instant) => ({
  status: container.currentStatus,
  holds: container.holdsAtPodTerminal,
  lastEvent,
  freeDaysLeft: freeDaysLeft(container, zoneAtPort(container, shipment), now),
  isStopped: isStopped(shipment),
});

export const containerMark = (...container: Parameters<typeof factsOf>): Html => containerBadge(factsOf(...container));

export const containerWord = (...container: Parameters<typeof factsOf>): string =>
  containerStateText(factsOf(...container));

export function shipmentMark(shipment: ShipmentRecord, containers: readonly ContainerRecord[], now: Instant): Html {
  const counts = countContainers(withLastArrival(containers, shipment), containers);
  const areAll = (some: number) => counts.count > 0 && some === counts.count;
  const returned = containers.filter(({ emptyTerminatedAt }) => emptyTerminatedAt).length;
  const daysLeft = containers.flatMap((one) => freeDaysLeft(one, zoneAtPort(one, shipment), now) ?? []);
  return shipmentBadge({
    status: overviewStatus(shipment, { arePickedUp: areAll(counts.pickedUp), areReturned: areAll(returned) }),
    containers: counts,
    freeDaysLeft: daysLeft.length === 0 ? null : Math.min(...daysLeft),
    isStopped: isStopped(shipment),
  });
}
