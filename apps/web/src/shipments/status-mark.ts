import { type Container, type Shipment, type ShipmentStatus, shipmentStatus } from "@svc/domain";
import type { ContainerSummary } from "@svc/persistence";
import { type Html, html } from "../http/html.ts";
import { statusWords } from "./words.ts";

/** How far the containers of a shipment are, as counts. */
export type ContainerCounts = Pick<
  ContainerSummary,
  "count" | "availableForPickup" | "held" | "onRail" | "pickedUp" | "returned"
>;

/** "Picked up", or "Picked up (1 of 3)" while that is not so of all. */
const share = (words: string, some: number, all: number): string =>
  some === all ? words : `${words} (${some} of ${all})`;

/** What became of the containers after the arrival: what needs action first, then what is furthest. */
function afterArrival({ count, availableForPickup, held, onRail, pickedUp, returned }: ContainerCounts) {
  if (returned === count) return { words: "Returned", look: "is-returned" };
  if (held > 0) return { words: share("On hold", held, count), look: "is-held" };
  if (availableForPickup > 0) return { words: share("Available for pickup", availableForPickup, count), look: null };
  if (pickedUp > 0) return { words: share("Picked up", pickedUp, count), look: null };
  return onRail > 0 ? { words: share("On rail", onRail, count), look: null } : null;
}

/** Of the containers themselves; the same rules as the statement of `ContainerSummary`. */
export function countContainers(containers: readonly Container[]): ContainerCounts {
  const count = (matches: (container: Container) => unknown) => containers.filter(matches).length;
  const isPickedUp = ({ podFullOutAt, finalDestinationFullOutAt }: Container) =>
    (podFullOutAt ?? finalDestinationFullOutAt) !== null;
  const isHeld = ({ holdsAtPodTerminal }: Container) => holdsAtPodTerminal.some(({ status }) => status === "hold");
  return {
    count: containers.length,
    availableForPickup: count((one) => one.availableForPickup && !isPickedUp(one)),
    held: count((one) => isHeld(one) && !isPickedUp(one)),
    onRail: count(({ currentStatus }) => currentStatus === "on_rail"),
    pickedUp: count(isPickedUp),
    returned: count(({ emptyTerminatedAt }) => emptyTerminatedAt),
  };
}

const mark = (status: ShipmentStatus, words: string, look: string | null): Html =>
  html`<span class="status is-${status}${look && ` ${look}`}" title="${words}">${words}</span>`;

/**
 * How far a shipment is: the word, with a sign and a colour that only repeat it. From the arrival on, what became of its
 * containers; the shipment is among those that arrived all the same.
 */
export function statusMark(shipment: Shipment, containers?: ContainerCounts): Html {
  const status = shipmentStatus(shipment);
  if (shipment.lineTrackingStoppedReason === "booking_cancelled")
    return mark(status, "Booking cancelled", "is-returned");
  const hasArrived = status === "arrived_at_pod" || status === "delivered_to_destination";
  const later = hasArrived && containers && containers.count > 0 ? afterArrival(containers) : null;
  return mark(status, later?.words ?? statusWords[status], later?.look ?? null);
}
