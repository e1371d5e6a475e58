import { type Shipment, shipmentStatus } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { statusWords } from "./words.ts";

/** How far a shipment is: the word, with a sign and a colour that only repeat it. */
export function statusMark(shipment: Shipment): Html {
  const status = shipmentStatus(shipment);
  return html`<span class="status is-${status}">${statusWords[status]}</span>`;
}
