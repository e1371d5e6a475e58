import type { Container, Freshness, Shipment } from "@svc/domain";
import type { FieldChangeRecord } from "@svc/persistence";
import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { type LivePage, livePage, part } from "../pages/live-page.ts";
import { answer } from "./answer.ts";
import { boxFacts, pickupFacts } from "./container-facts.ts";
import { etaHistory } from "./eta-chart.ts";
import { type FieldSources, factList } from "./field-sources.ts";
import { freshnessNote } from "./freshness-note.ts";
import type { KnownNames } from "./known-names.ts";
import { type RouteOfPage, routeFigure } from "./map/route-figure.ts";
import { shipmentFacts } from "./shipment-facts.ts";
import { stages } from "./stages.ts";
import { statusMark } from "./status-mark.ts";
import { timelineList } from "./timeline.ts";
import type { TimelineStep } from "./timeline-steps.ts";
import { eventWords, stopNote } from "./words.ts";

export interface ShipmentPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly shipment: Shipment;
  /** In the order in which they are shown. */
  readonly containers: readonly Container[];
  readonly selectedId: string | null;
  /** The address asked for a container that this shipment does not have. */
  readonly unknownContainer: boolean;
  /** Of the selected container. */
  readonly steps: readonly TimelineStep[];
  readonly newestFirst: boolean;
  readonly containerSources: FieldSources;
  readonly freshness: Freshness | null;
  readonly route: RouteOfPage;
  readonly names: KnownNames;
  /** Of the shipment. */
  readonly sources: FieldSources;
  /** How the expected arrival changed, the latest first. */
  readonly estimates: readonly FieldChangeRecord[];
}

function containerState({ currentStatus, availableForPickup, holdsAtPodTerminal }: Container): string {
  if (holdsAtPodTerminal.some(({ status }) => status === "hold")) return "Held at the terminal";
  return availableForPickup ? "Available for pickup" : eventWords(currentStatus);
}

function pathOf(shipmentId: string, containerId: string, newestFirst: boolean): string {
  return `/shipments/${shipmentId}?container=${containerId}${newestFirst ? "&order=newest" : ""}`;
}

function containerLinks({ shipment, containers, selectedId, newestFirst }: ShipmentPageOptions): Html {
  if (containers.length === 0) return html`<p class="muted">The carrier has not named a container yet.</p>`;
  const at = containers.findIndex(({ id }) => id === selectedId);
  const step = (index: number) => (index === at + 1 ? "next" : index === at - 1 ? "previous" : null);
  const link = (container: Container, index: number) => {
    const { id, number } = container;
    const key = step(index);
    return html`
    <li><a href="${pathOf(shipment.id, id, newestFirst)}"${id === selectedId && html` aria-current="true"`}${key && html` data-step="${key}"`}>
      <span class="number">${number}</span>
      <span class="muted">${containerState(container)}</span>
    </a></li>`;
  };
  const many = containers.length > 8 && html` class="boxes many" tabindex="0"`;
  return html`<nav aria-label="Containers"><ul${many || html` class="boxes"`}>${containers.map(link)}</ul></nav>`;
}

function selected(options: ShipmentPageOptions): Html | null {
  const container = options.containers.find(({ id }) => id === options.selectedId);
  if (!container) return null;
  const { shipment, steps, newestFirst, containerSources, route } = options;
  return html`
    <section class="columns" aria-label="Container ${container.number}">
      <div class="stack">
        ${routeFigure(route)}
        <div class="card">
          <h2><span class="number">${container.number}</span> journey</h2>
          ${timelineList(steps, { newestFirst, otherPath: pathOf(shipment.id, container.id, !newestFirst) })}
        </div>
      </div>
      <div class="stack">
        <div class="card">
          <h2>Pickup of <span class="number">${container.number}</span></h2>
          ${factList(pickupFacts(container, shipment), containerSources)}
        </div>
        <div class="card">
          <h2>Container</h2>
          ${factList(boxFacts(container), containerSources)}
          <p><a href="/containers/${container.id}">Everything about this container</a></p>
        </div>
        ${etaHistory(options.estimates, shipment)}
      </div>
    </section>`;
}

function head({ shipment, caller }: ShipmentPageOptions): Html {
  const { billOfLadingNumber, shippingLineName, shippingLineScac, portOfLading, portOfDischarge, destination } =
    shipment;
  const route = [portOfLading, portOfDischarge, destination?.id === portOfDischarge?.id ? null : destination];
  return html`
      <section class="card head">
        <div>
          <h1><span class="number">${billOfLadingNumber}</span></h1>
          <p>${shippingLineName} <span class="muted">${shippingLineScac}</span></p>
          <p>${route.flatMap((place) => (place ? [place.name] : [])).join(" → ") || "Route not known yet"}</p>
          <p><span data-say="status">${statusMark(shipment)}</span>
            ${shipment.tags.map((tag) => html`<span class="tag">${tag}</span> `)}
            ${caller.user && html`<a href="/shipments/${shipment.id}/edit">Edit</a>`}</p>
        </div>
        ${answer(shipment)}
        ${stages(shipment)}
      </section>`;
}

export function shipmentPage(options: ShipmentPageOptions): LivePage {
  const { caller, apiBaseUrl, shipment, unknownContainer, sources, names } = options;
  const { billOfLadingNumber } = shipment;
  const note = stopNote(shipment);
  return livePage({
    title: billOfLadingNumber,
    caller,
    jumpBox: true,
    content: html`
      <p class="muted"><a href="/shipments">Shipments</a> / ${billOfLadingNumber}</p>
      ${part("head", head(options))}
      ${part(
        "notes",
        html`
        ${note ? html`<p class="notice" role="status">${note}</p>` : freshnessNote(options.freshness, shipment)}
        ${unknownContainer && html`<p class="notice" role="status">That container is not part of this shipment; the first one is shown.</p>`}`,
      )}
      ${part("containers", containerLinks(options))}
      ${part("container", selected(options))}
      ${part(
        "shipment",
        html`<section class="card">
        <h2>Shipment</h2>
        ${factList(shipmentFacts(shipment, names), sources)}
        <details id="api"><summary>The same from the API</summary>
          <pre>curl "${apiBaseUrl}/shipments/${shipment.id}?include=containers" -H "Authorization: Token …"</pre>
        </details>
      </section>`,
      )}`,
  });
}
