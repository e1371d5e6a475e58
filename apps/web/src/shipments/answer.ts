import type { Instant } from "@svc/domain";
import type { Place } from "@svc/domain/shipments";
import { isInland } from "@svc/domain/shipments";
import { driftNote, type Html, html, localTime } from "@svc/views";
import type { ShownShipment } from "./api-records.ts";

interface Arrival {
  readonly place: Place | null;
  readonly etaAt: Instant | null;
  readonly ataAt: Instant | null;
  readonly originalEtaAt: Instant | null;
}

/** How an arrival is introduced: before it, and once it is reported. */
const arriving = {
  shipment: ["Arrives", "Arrived"],
  separate: ["Last container arrives", "First container arrived"],
  ofShipment: ["Shipment arrives", "Arrived"],
} as const;

function line({ place, etaAt, ataAt, originalEtaAt }: Arrival, size: "big" | "small", of: keyof typeof arriving): Html {
  const at = ataAt ?? etaAt;
  const where = place?.name ?? "the port of discharge";
  if (at === null) return html`<p class="${size}">No arrival time for ${where} yet</p>`;
  return html`
    <p class="muted">${arriving[of][ataAt ? 1 : 0]} at ${where}</p>
    <p class="${size}">${localTime(at, place?.timeZone ?? null)}</p>
    <p>${driftNote(originalEtaAt, at)}</p>`;
}

const atPort = (shipment: ShownShipment): Arrival => ({
  place: shipment.portOfDischarge,
  etaAt: shipment.podEtaAt,
  ataAt: shipment.podAtaAt,
  originalEtaAt: shipment.podOriginalEtaAt,
});

const atDestination = (shipment: ShownShipment): Arrival => ({
  place: shipment.destination,
  etaAt: shipment.destinationEtaAt,
  ataAt: shipment.destinationAtaAt,
  originalEtaAt: shipment.destinationOriginalEtaAt,
});

/** "Shanghai → Rotterdam → Duisburg". */
export function routeWords({ portOfLading, portOfDischarge, destination }: ShownShipment): string {
  const places = [portOfLading, portOfDischarge, destination?.id === portOfDischarge?.id ? null : destination];
  return places.flatMap((place) => (place ? [place.name] : [])).join(" → ") || "Route not known yet";
}

/** By the rule from which the ETA follows: of a split shipment it is that of the last container. */
export const isSplit = (etaRule: string | undefined): boolean => etaRule?.endsWith("split_arrival") ?? false;

/**
 * The arrival, which is the main content of the page.
 * @param of "separate": the containers arrive separately; "ofShipment": the page is that of one container.
 */
export function answer(shipment: ShownShipment, of: keyof typeof arriving = "shipment"): Html {
  return html`
    <div class="answer" data-say="arrival">
      ${line(atPort(shipment), "big", of)}
      ${isInland(shipment) && line(atDestination(shipment), "small", "shipment")}
    </div>`;
}
