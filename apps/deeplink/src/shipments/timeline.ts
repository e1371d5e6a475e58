import { eventCategories, type Shipment, type TransportEvent } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import type { KnownNames } from "./known-names.ts";
import { localTime } from "./local-time.ts";
import { eventWords } from "./words.ts";

const prefix = "container.transport.";
const meanings: ReadonlyMap<string, string> = new Map(
  eventCategories.flatMap(({ events }) =>
    events.map(([name, meaning]) => [name.replace(prefix, ""), meaning] as const),
  ),
);

function step(event: TransportEvent, names: KnownNames, isLast: boolean): Html {
  const name = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const place = [name(event.portId) ?? name(event.metroAreaId) ?? event.locationLocode, name(event.terminalId)];
  const carriedBy = [name(event.vesselId), event.voyageNumber && `voyage ${event.voyageNumber}`];
  const joined = (parts: readonly (string | null)[]) => parts.filter((part) => part).join(", ");
  return html`
    <li${isLast && html` aria-current="step"`}>
      <strong title="${meanings.get(event.event)}">${eventWords(event.event)}</strong>
      ${localTime(event.occurredAt, event.timeZone, event.timePrecision)}
      <span>${joined(place)}</span>
      <span class="muted">${joined(carriedBy)}</span>
    </li>`;
}

/** What is still to come, as far as the carrier estimates it. */
function expected(shipment: Shipment, happened: ReadonlySet<string>): Html[] {
  const { portOfLading, portOfDischarge, destination } = shipment;
  const coming = [
    { event: "vessel_departed", at: shipment.polAtdAt ? null : shipment.polEtdAt, place: portOfLading },
    { event: "vessel_arrived", at: shipment.podAtaAt ? null : shipment.podEtaAt, place: portOfDischarge },
    {
      event: "arrived_at_inland_destination",
      at: shipment.destinationAtaAt || destination?.id === portOfDischarge?.id ? null : shipment.destinationEtaAt,
      place: destination,
    },
  ];
  return coming
    .filter(({ event, at }) => at !== null && !happened.has(event))
    .map(
      ({ event, at, place }) => html`
        <li class="expected">
          <strong>${eventWords(event)}</strong> <span class="muted">expected</span>
          ${localTime(at, place?.timeZone ?? null)}
          <span>${place?.name}</span>
        </li>`,
    );
}

export function timelineList(options: {
  readonly timeline: readonly TransportEvent[];
  readonly shipment: Shipment;
  readonly names: KnownNames;
}): Html {
  const { timeline, shipment, names } = options;
  const coming = expected(shipment, new Set(timeline.map(({ event }) => event)));
  if (timeline.length === 0 && coming.length === 0) return html`<p class="muted">Nothing has been reported yet.</p>`;
  const steps = timeline.map((event, index) => step(event, names, index === timeline.length - 1));
  return html`<ol class="timeline">${steps}${coming}</ol>`;
}
