import { type Shipment, shipmentStatus } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { statusWords } from "./words.ts";

/** Of the containers of a shipment. */
interface Boxes {
  readonly count: number;
  readonly availableForPickup: number;
}

/**
 * How far a shipment is: the word, with a sign and a colour that only repeat it. What can be picked up is said instead of that it
 * arrived; the shipment is among those that arrived all the same.
 */
export function statusMark(shipment: Shipment, boxes?: Boxes): Html {
  const status = shipmentStatus(shipment);
  const isThere = status === "arrived_at_pod" || status === "delivered_to_destination";
  const words =
    isThere && boxes && boxes.availableForPickup > 0
      ? `Available for pickup (${boxes.availableForPickup} of ${boxes.count})`
      : statusWords[status];
  return html`<span class="status is-${status}">${words}</span>`;
}
