import type { Container, Place, Shipment, TransportEvent } from "@svc/domain";
import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { layout } from "../pages/layout.ts";
import { answer } from "./answer.ts";
import { containerFacts } from "./container-facts.ts";
import type { KnownNames } from "./known-names.ts";
import { localTime } from "./local-time.ts";
import { timelineList } from "./timeline.ts";
import { eventWords, statusOfShipment, stopNote } from "./words.ts";

export interface ShipmentPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly shipment: Shipment;
  /** In the order in which they are shown. */
  readonly containers: readonly Container[];
  readonly selectedId: string | null;
  /** The address asked for a container that this shipment does not have. */
  readonly unknownContainer: boolean;
  /** Of the selected container, in order of time. */
  readonly timeline: readonly TransportEvent[];
  readonly names: KnownNames;
}

function containerLinks({ shipment, containers, selectedId }: ShipmentPageOptions): Html {
  if (containers.length === 0) return html`<p class="muted">The carrier has not named a container yet.</p>`;
  const link = ({ id, number, currentStatus, availableForPickup }: Container) => html`
    <li><a href="/shipments/${shipment.id}?container=${id}"${id === selectedId && html` aria-current="true"`}>
      <span class="number">${number}</span>
      <span class="muted">${availableForPickup ? "Available for pickup" : eventWords(currentStatus)}</span>
    </a></li>`;
  return html`<nav aria-label="Containers"><ul class="boxes">${containers.map(link)}</ul></nav>`;
}

function selected(options: ShipmentPageOptions): Html | null {
  const container = options.containers.find(({ id }) => id === options.selectedId);
  if (!container) return null;
  const { timeline, shipment, names } = options;
  return html`
    <section class="columns" aria-label="Container ${container.number}">
      <div class="card">
        <h2><span class="number">${container.number}</span> journey</h2>
        ${timelineList({ timeline, shipment, names })}
      </div>
      <div class="card">
        <h2>Container</h2>
        ${containerFacts(container, shipment)}
      </div>
    </section>`;
}

function shipmentFacts({ shipment, names }: ShipmentPageOptions): Html {
  const place = (at: Place | null, terminalId?: string) =>
    at === null
      ? html`<span class="muted">not known</span>`
      : html`${at.name} <span class="muted">${at.locode}</span>${terminalId && html`<br>${names.get(terminalId)}`}`;
  const { portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal } = shipment;
  const pod = portOfDischarge?.timeZone ?? null;
  const facts: (readonly [string, Html | string])[] = [
    ["Port of lading", place(portOfLading)],
    ["Left", localTime(shipment.polAtdAt, portOfLading?.timeZone ?? null)],
    ["Planned departure", localTime(shipment.polEtdAt, portOfLading?.timeZone ?? null)],
    ["Port of discharge", place(portOfDischarge, podTerminal?.id)],
    ["First planned arrival", localTime(shipment.podOriginalEtaAt, pod)],
    ["Destination", place(destination, destinationTerminal?.id)],
    ["Vessel", shipment.podVesselName ?? "–"],
    ["Vessel IMO", shipment.podVesselImo ?? "–"],
    ["Voyage", shipment.podVoyageNumber ?? "–"],
    ["Customer", shipment.customerName ?? "–"],
    ["References", shipment.refNumbers.join(", ") || "–"],
    ["Carrier last asked", localTime(shipment.lineTrackingLastAttemptedAt, "UTC")],
    ["Carrier last answered", localTime(shipment.lineTrackingLastSucceededAt, "UTC")],
  ];
  return html`<dl>${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function shipmentPage(options: ShipmentPageOptions): Html {
  const { caller, apiBaseUrl, shipment, unknownContainer } = options;
  const { billOfLadingNumber, shippingLineName, shippingLineScac, portOfLading, portOfDischarge, destination } =
    shipment;
  const route = [portOfLading, portOfDischarge, destination?.id === portOfDischarge?.id ? null : destination];
  const note = stopNote(shipment);
  return layout({
    title: billOfLadingNumber,
    caller,
    jumpBox: true,
    content: html`
      <p class="muted"><a href="/shipments">Shipments</a> / ${billOfLadingNumber}</p>
      <section class="card head">
        <div>
          <h1><span class="number">${billOfLadingNumber}</span></h1>
          <p>${shippingLineName} <span class="muted">${shippingLineScac}</span></p>
          <p>${route.flatMap((place) => (place ? [place.name] : [])).join(" → ") || "Route not known yet"}</p>
          <p><span class="status">${statusOfShipment(shipment)}</span>
            ${shipment.tags.map((tag) => html`<span class="tag">${tag}</span> `)}</p>
        </div>
        ${answer(shipment)}
      </section>
      ${note && html`<p class="notice" role="status">${note}</p>`}
      ${unknownContainer && html`<p class="notice" role="status">That container is not part of this shipment; the first one is shown.</p>`}
      ${containerLinks(options)}
      ${selected(options)}
      <section class="card">
        <h2>Shipment</h2>
        ${shipmentFacts(options)}
        <details><summary>The same from the API</summary>
          <pre>curl "${apiBaseUrl}/shipments/${shipment.id}?include=containers" -H "Authorization: Token …"</pre>
        </details>
      </section>`,
  });
}
