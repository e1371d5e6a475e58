import type { Instant, Place, Shipment } from "@svc/domain";
import type { ContainerSummary } from "@svc/persistence";
import { type Html, html } from "../http/html.ts";
import { moment } from "../pages/moment.ts";
import { finalArrival } from "./answer.ts";
import { driftNote } from "./drift.ts";
import { type ListQuery, listPath } from "./list-query.ts";
import { localTime, shortTimeText } from "./local-time.ts";
import { statusMark } from "./status-mark.ts";
import { stopNote } from "./words.ts";

const expected = html` <span class="muted">expected</span>`;

function arrival(shipment: Shipment): Html {
  const { place, etaAt, ataAt, originalEtaAt } = finalArrival(shipment);
  return html`${localTime(ataAt ?? etaAt, place?.timeZone ?? null)}${!ataAt && etaAt && expected}
    ${driftNote(originalEtaAt, ataAt ?? etaAt, "")}`;
}

function departure({ polAtdAt, polEtdAt, portOfLading }: Shipment): Html {
  return html`${localTime(polAtdAt ?? polEtdAt, portOfLading?.timeZone ?? null)}${!polAtdAt && polEtdAt && expected}`;
}

/** From where to where by name, and below by UN/LOCODE. */
function route({ portOfLading, destination, portOfDischarge }: Shipment): Html {
  const ends = [portOfLading, destination ?? portOfDischarge];
  const joined = (told: (place: Place) => string, unknown: string): string =>
    ends.map((place) => (place === null ? unknown : told(place))).join(" → ");
  if (ends.every((place) => place === null)) return html`<span class="muted">not known</span>`;
  return html`${joined(({ name }) => name, "not known")}
    <span class="muted below">${joined(({ locode }) => locode, "–")}</span>`;
}

function vessel({ podVesselName, podVoyageNumber }: Shipment): Html | null {
  const words = [podVesselName, podVoyageNumber].filter((part) => part !== null).join(", ");
  return words === "" ? null : html`<span class="muted below">${words}</span>`;
}

function boxesOf(boxes: ContainerSummary | undefined): Html {
  if (boxes === undefined) return html`<span class="muted">–</span>`;
  const { count, firstNumber } = boxes;
  return html`<span class="number">${firstNumber}</span>${count > 1 && html` <span class="muted">and ${count - 1} more</span>`}`;
}

/** How long ago it changed; the style shows the exact time in its place in the row that is pointed at or has the focus. */
const updated = ({ updatedAt }: Shipment, now: Instant): Html =>
  html`<span class="told">${moment(updatedAt, Date.parse(now))} <span class="exact muted">${shortTimeText(updatedAt)}</span></span>`;

/** A shipment in the list. `boxes`: undefined while it has no container; `now` on the clock of what is tracked. */
export function listRow(shipment: Shipment, boxes: ContainerSummary | undefined, query: ListQuery, now: Instant): Html {
  const { id, billOfLadingNumber, shippingLineShortName, shippingLineScac, refNumbers, tags } = shipment;
  const stopped = stopNote(shipment);
  const tag = (text: string) => html` <a class="tag" href="${listPath(query, { tag: text })}">${text}</a>`;
  return html`
    <tr>
      <th scope="row" data-label="Shipment">
        <a class="row-link" href="/shipments/${id}"><span class="number">${billOfLadingNumber}</span></a>
        ${refNumbers.length > 0 && html`<span class="muted below">${refNumbers.join(", ")}</span>`}
        ${tags.length > 0 && html`<span class="below">${tags.map(tag)}</span>`}
      </th>
      <td class="whole-words" data-label="Status">${statusMark(shipment, boxes)}${stopped && html` <span class="muted below">${stopped}</span>`}</td>
      <td data-label="Route">${route(shipment)} ${vessel(shipment)}</td>
      <td data-label="Containers">${boxesOf(boxes)}</td>
      <td data-label="Departure">${departure(shipment)}</td>
      <td data-label="Arrival">${arrival(shipment)}</td>
      <td class="whole-words" data-label="Line">${shippingLineShortName} <span class="muted below">${shippingLineScac}</span></td>
      <td class="whole-words" data-label="Updated">${updated(shipment, now)}</td>
    </tr>`;
}
