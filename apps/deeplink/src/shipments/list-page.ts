import { type Shipment, type ShipmentStatus, shipmentStatuses } from "@svc/domain";
import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { layout } from "../pages/layout.ts";
import { localTime } from "./local-time.ts";
import { statusOfShipment, statusWords, stopNote } from "./words.ts";

export interface ListPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** What was searched for, as it was typed. */
  readonly typed: string;
  readonly status: ShipmentStatus | null;
  readonly items: readonly Shipment[];
  readonly number: number;
  readonly hasMore: boolean;
  /** More match than are shown. */
  readonly cut: boolean;
}

function linkTo(options: { typed: string; status: ShipmentStatus | null; number?: number }): string {
  const parameters = new URLSearchParams();
  if (options.typed !== "") parameters.set("q", options.typed);
  if (options.status) parameters.set("status", options.status);
  if (options.number && options.number > 1) parameters.set("page", String(options.number));
  const query = parameters.toString();
  return query === "" ? "/shipments" : `/shipments?${query}`;
}

function statusLinks({ typed, status }: ListPageOptions): Html {
  const link = (value: ShipmentStatus | null, words: string) =>
    html`<a href="${linkTo({ typed, status: value })}"${value === status && html` aria-current="true"`}>${words}</a>`;
  return html`
    <nav class="chips" aria-label="Status">
      ${link(null, "All")}
      ${shipmentStatuses.map((value) => link(value, statusWords[value]))}
    </nav>`;
}

/** Arrival where it matters to the reader: at the destination when there is one beyond the port. */
function arrival(shipment: Shipment): Html {
  const { destination, portOfDischarge } = shipment;
  const inland = destination !== null && destination.id !== portOfDischarge?.id;
  const actual = inland ? shipment.destinationAtaAt : shipment.podAtaAt;
  const expected = inland ? shipment.destinationEtaAt : shipment.podEtaAt;
  const zone = (inland ? destination : portOfDischarge)?.timeZone ?? null;
  return html`${localTime(actual ?? expected, zone)}${!actual && expected && html` <span class="muted">expected</span>`}`;
}

function departure(shipment: Shipment): Html {
  const { polAtdAt, polEtdAt, portOfLading } = shipment;
  const expected = !polAtdAt && polEtdAt && html` <span class="muted">expected</span>`;
  return html`${localTime(polAtdAt ?? polEtdAt, portOfLading?.timeZone ?? null)}${expected}`;
}

function row(shipment: Shipment): Html {
  const { id, billOfLadingNumber, shippingLineShortName, shippingLineScac, portOfLading, destination } = shipment;
  const to = destination ?? shipment.portOfDischarge;
  const place = (name: string | undefined) => name ?? html`<span class="muted">not known</span>`;
  return html`
    <tr>
      <th scope="row" data-label="Shipment">
        <a href="/shipments/${id}"><span class="number">${billOfLadingNumber}</span></a>
        ${shipment.refNumbers.length > 0 && html`<span class="muted"> ${shipment.refNumbers.join(", ")}</span>`}
        ${shipment.tags.map((tag) => html` <span class="tag">${tag}</span>`)}
      </th>
      <td data-label="Carrier">${shippingLineShortName} <span class="muted">${shippingLineScac}</span></td>
      <td data-label="Route">${place(portOfLading?.name)} → ${place(to?.name)}</td>
      <td data-label="Containers">${shipment.containerIds.length}</td>
      <td data-label="Status">${statusOfShipment(shipment)}${stopNote(shipment) && html` <span class="tag">stopped</span>`}</td>
      <td data-label="Departure">${departure(shipment)}</td>
      <td data-label="Arrival">${arrival(shipment)}</td>
    </tr>`;
}

function table(items: readonly Shipment[]): Html {
  return html`
    <table class="list">
      <caption class="hidden">Shipments, the newest first</caption>
      <thead><tr>
        <th scope="col">Shipment</th><th scope="col">Carrier</th><th scope="col">Route</th><th scope="col">Containers</th>
        <th scope="col">Status</th><th scope="col">Departure</th><th scope="col">Arrival</th>
      </tr></thead>
      <tbody>${items.map(row)}</tbody>
    </table>`;
}

function nothing({ typed, status, apiBaseUrl, number }: ListPageOptions): Html {
  if (number > 1) return html`<section class="card empty"><h2>The list ends before this page</h2></section>`;
  if (typed !== "") {
    return html`
      <section class="card empty">
        <h2>Nothing here matches “${typed}”</h2>
        <p>Container numbers, bills of lading, bookings and references of this account were searched.</p>
        <p><a href="${linkTo({ typed: "", status: null })}">Show all shipments</a></p>
      </section>`;
  }
  if (status) return html`<section class="card empty"><h2>No shipment is in this state</h2></section>`;
  return html`
    <section class="card empty">
      <h2>No shipments yet</h2>
      <p>Track the first one with your API token:</p>
      <pre>curl -X POST ${apiBaseUrl}/tracking_requests -H "Authorization: Token …" -H "Content-Type: application/json" \\
  -d '{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"…","scac":"…"}}}'</pre>
    </section>`;
}

function pages({ typed, status, number, hasMore }: ListPageOptions): Html | null {
  if (number === 1 && !hasMore) return null;
  return html`
    <nav class="pages" aria-label="Pages">
      ${number > 1 && html`<a rel="prev" href="${linkTo({ typed, status, number: number - 1 })}">Newer</a>`}
      <span>Page ${number}</span>
      ${hasMore && html`<a rel="next" href="${linkTo({ typed, status, number: number + 1 })}">Older</a>`}
    </nav>`;
}

export function listPage(options: ListPageOptions): Html {
  const { caller, typed, status, items, cut } = options;
  return layout({
    title: typed === "" ? "Shipments" : `Search: ${typed}`,
    caller,
    content: html`
      <h1>Shipments</h1>
      <form class="search" role="search" action="/shipments">
        <label class="hidden" for="q">Container, bill of lading, booking or reference</label>
        <input id="q" name="q" type="search" maxlength="100" value="${typed}"
          placeholder="Container, bill of lading, booking or reference">
        ${status && html`<input type="hidden" name="status" value="${status}">`}
        <button>Search</button>
      </form>
      ${statusLinks(options)}
      ${items.length > 0 ? table(items) : nothing(options)}
      ${cut && html`<p class="muted">Only the newest matches are shown. Type more of the number to see others.</p>`}
      ${pages(options)}`,
  });
}
