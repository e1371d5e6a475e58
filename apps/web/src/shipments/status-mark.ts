import type { ContainerStatus } from "@svc/domain/containers";
import { isAtPort, overviewStatus, type ShipmentOverviewStatus, withLastArrival } from "@svc/domain/shipments";
import { type Html, html } from "@svc/views";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { type ArrivalCounts, containerStateLabel, isPartlyArrived, shipmentStatusLabel } from "./shipment-labels.ts";

/** Counts of the containers of a shipment by state. */
export interface ContainerCounts extends ArrivalCounts {
  readonly availableForPickup: number;
  /** Containers with an active hold. */
  readonly held: number;
  readonly onRail: number;
  readonly pickedUp: number;
  readonly returned: number;
}

/** "Picked up", or "Picked up (1 of 3)" when it applies to some of the containers. */
const share = (label: string, some: number, all: number): string =>
  some === all ? label : `${label} (${some} of ${all})`;

/** The state of the containers after arrival: those that need action first, then the most advanced. */
function afterArrival({ count, availableForPickup, held, onRail, pickedUp }: ContainerCounts) {
  if (held > 0) return { label: share("On hold", held, count), className: "is-held" };
  if (availableForPickup === count) return { label: "Available for pickup", className: null };
  if (availableForPickup > 0) return { label: share("Available", availableForPickup, count), className: null };
  if (pickedUp > 0) return { label: share("Picked up", pickedUp, count), className: null };
  return onRail > 0 ? { label: share("On rail", onRail, count), className: null } : null;
}

/** At the terminal, where free time is running: no success yet. */
const waitsAtPort = "is-arrived_at_pod is-at-port";

const statusClasses: Readonly<Record<ContainerStatus, string>> = {
  new: "is-pending",
  loaded: "is-awaiting_departure",
  on_ship: "is-in_transit",
  grounded: waitsAtPort,
  available: "is-arrived_at_pod",
  not_available: waitsAtPort,
  awaiting_inland_transfer: waitsAtPort,
  on_rail: "is-in_transit",
  off_dock: waitsAtPort,
  picked_up: "is-arrived_at_pod",
  dropped: "is-arrived_at_pod",
  delivered: "is-delivered_to_destination",
  empty_returned: "is-returned",
};

/** Statuses before the arrival and after the pickup, in which a container does not wait for the end of a hold. */
const withoutHold: ReadonlySet<ContainerStatus> = new Set([
  "new",
  "on_ship",
  "picked_up",
  "delivered",
  "empty_returned",
]);

/** Whether a hold is what the container waits for. */
export const isHeldForPickup = ({
  currentStatus,
  holdsAtPodTerminal,
}: {
  readonly currentStatus: ContainerStatus;
  readonly holdsAtPodTerminal: readonly { readonly status: string }[];
}): boolean => !withoutHold.has(currentStatus) && holdsAtPodTerminal.some(({ status }) => status === "hold");

/**
 * The status of one container, in the colours of the statuses of shipments. `lastEvent`: its last milestone; `isLate`:
 * whether its free time has ended, so that what it could be picked up for is no success.
 */
export function containerStatusMark(
  container: Parameters<typeof isHeldForPickup>[0],
  { lastEvent = null, isLate = false }: { readonly lastEvent?: string | null; readonly isLate?: boolean } = {},
): Html {
  const { currentStatus } = container;
  const statusClass = isLate && currentStatus === "available" ? waitsAtPort : statusClasses[currentStatus];
  const isHeld = isHeldForPickup(container);
  const label = isHeld ? "On hold" : containerStateLabel(currentStatus, lastEvent);
  return html`<span class="status ${isHeld ? "is-arrived_at_pod is-held" : statusClass}">${label}</span>`;
}

/** Counts containers by the same rules as the rows of shipment overviews. */
function countContainers(shipment: ShipmentRecord, containers: readonly ContainerRecord[]): ContainerCounts {
  const count = (matches: (container: ContainerRecord) => unknown) => containers.filter(matches).length;
  const isPickedUp = ({ podFullOutAt, finalDestinationFullOutAt }: ContainerRecord) =>
    (podFullOutAt ?? finalDestinationFullOutAt) !== null;
  const isHeld = ({ holdsAtPodTerminal }: ContainerRecord) =>
    holdsAtPodTerminal.some(({ status }) => status === "hold");
  return {
    count: containers.length,
    arrived: count((one) => isAtPort(one, shipment)),
    availableForPickup: count((one) => one.availableForPickup && !isPickedUp(one)),
    held: count((one) => isHeld(one) && !isPickedUp(one)),
    onRail: count(({ currentStatus }) => currentStatus === "on_rail"),
    pickedUp: count(isPickedUp),
    returned: count(({ emptyTerminatedAt }) => emptyTerminatedAt),
  };
}

/**
 * The status of a shipment as a word, which lists filter and count by; the symbol and colour only repeat it. After
 * arrival the state of the containers follows it.
 */
export function statusMark(
  {
    status,
    isLate = false,
  }: {
    readonly status: ShipmentOverviewStatus;
    readonly isLate?: boolean;
  },
  containers: ContainerCounts,
): Html {
  const hasArrived = status === "arrived_at_pod" || status === "delivered_to_destination";
  const later = hasArrived && containers.count > 0 ? afterArrival(containers) : null;
  // The arrival is no success yet: free time is running.
  const waits = hasArrived && (later === null || isLate) ? "is-at-port" : null;
  const label = shipmentStatusLabel(status, containers);
  const isPartly = isPartlyArrived(status, containers);
  const statusClass = later?.className ?? (isPartly ? null : waits);
  return html`<span class="status is-${isPartly ? "in_transit" : status}${statusClass && ` ${statusClass}`}" title="${label}">${label}</span>${later && html` <span class="muted one-line" title="${later.label}">${later.label}</span>`}`;
}

/** @param isLate whether the free time of one of the containers has ended: its state is no success then. */
export const shipmentStatusMark = (
  shipment: ShipmentRecord,
  containers: readonly ContainerRecord[],
  isLate = false,
): Html => {
  const counts = countContainers(withLastArrival(containers, shipment), containers);
  const areAll = (some: number) => counts.count > 0 && some === counts.count;
  const ended = { arePickedUp: areAll(counts.pickedUp), areReturned: areAll(counts.returned) };
  return statusMark({ status: overviewStatus(shipment, ended), isLate }, counts);
};
