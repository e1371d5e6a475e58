import type { Instant } from "@svc/domain";
import { arrivesSeparately, isInland, withContainerArrival } from "@svc/domain/shipments";
import type { TransportEvent } from "@svc/domain/transport-events";
import type { ContainerDemurrageResource } from "@svc/jsonapi/demurrage";
import type { ContainerEmissionsResource } from "@svc/jsonapi/emissions";
import type { ExceptionResource } from "@svc/sdk";
import { eventLabel, exactStatusLabel, type Html, html, listTable, localTime, sourceLabels } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { exceptionBand } from "../attention/exception-band.ts";
import { customerListPath } from "../customers/customer-names.ts";
import { demurrageCard } from "../demurrage/demurrage-card.ts";
import { emissionsCard } from "../emissions/emissions-card.ts";
import { type AsOfTime, asOfControl } from "../pages/as-of.ts";
import { type LivePage, livePage, part, shipmentEvents } from "../pages/live-page.ts";
import { longTable } from "../pages/long-table.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import type {
  ChangeRecord,
  ContainerRecord,
  FieldSources,
  KnownNames,
  ShipmentRecord,
} from "../shipments/api-records.ts";
import { arrivalSummary, routeText } from "../shipments/arrival-summary.ts";
import { containerFacts, knownPickupFacts, pickupFacts, zoneAtPort } from "../shipments/container-facts.ts";
import { type Fact, factList, noSources } from "../shipments/field-sources.ts";
import { type CarrierReplies, freshnessNote } from "../shipments/freshness-note.ts";
import { containerMark } from "../shipments/status-mark.ts";
import type { TrackedShipment } from "../tracking-requests/tracked-containers.ts";
import { changeTable } from "./change-table.ts";
import { type JourneyZones, timeFacts } from "./container-times.ts";

export interface ContainerPageOptions {
  /** Present time on the clock of the tracked container. */
  readonly now: Instant;
  /** Exceptions of the container: open ones, most urgent first, then those that still cost. */
  readonly exceptions: readonly ExceptionResource[];
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly container: ContainerRecord;
  readonly shipment: ShipmentRecord;
  /** Other shipments that are tracked now and have the container. */
  readonly otherShipments: readonly TrackedShipment[];
  readonly timeline: readonly TransportEvent[];
  readonly names: KnownNames;
  readonly sources: FieldSources;
  /** Changes of its attributes, most recent first. */
  readonly history: readonly ChangeRecord[];
  readonly customFacts: readonly Fact[];
  readonly demurrage: ContainerDemurrageResource["attributes"];
  readonly emissions: ContainerEmissionsResource["attributes"];
  /** Null: the page shows an earlier state. */
  readonly replies: CarrierReplies | null;
  readonly askedTime: AsOfTime;
  /** When an attribute of the container changed, oldest first. */
  readonly changeTimes: readonly Instant[];
}

type FactOptions = Pick<ContainerPageOptions, "container" | "shipment" | "names" | "now">;

function terminalFacts({ container, shipment, names }: FactOptions): readonly Fact[] {
  const name = (id: string | null | undefined) => (id && names.get(id)) || "–";
  const checkedAt = container.terminalCheckedAt;
  return [
    ["Terminal at the port", name(container.podTerminalId), null],
    ["Place of pickup", name(container.pickupFacility?.id), null],
    ["Terminal last checked", checkedAt === null ? "–" : localTime(checkedAt, zoneAtPort(container, shipment)), null],
    ["Chassis", container.podFullOutChassisNumber ?? "–", "podFullOutChassisNumber"],
    ["Rail carrier at the port", container.podRailCarrierScac ?? "–", null],
    ["Rail carrier inland", container.indRailCarrierScac ?? "–", null],
  ];
}

const zonesOf = ({ container, shipment }: FactOptions): JourneyZones => ({
  origin: shipment.portOfLading?.timeZone ?? null,
  port: zoneAtPort(container, shipment),
  destination: container.finalDestinationTimezone ?? shipment.destination?.timeZone ?? null,
});

/** Times that are not among the transport events, as far as they are known. */
function otherTimes(options: ContainerPageOptions): readonly Fact[] {
  const { container, shipment, timeline } = options;
  const eventTimes = new Set(timeline.map(({ occurredAt }) => occurredAt));
  return timeFacts(container, zonesOf(options)).filter(([, , field]) => {
    const at = container[field as keyof ContainerRecord] as Instant | null;
    return at !== null && !eventTimes.has(at) && isJourneyField(shipment, field);
  });
}

/** Without an inland destination the final gate-out repeats the one at the port. */
const isJourneyField = (shipment: ShipmentRecord, field: string | null): boolean =>
  field !== "finalDestinationFullOutAt" || isInland(shipment);

const allFacts = (options: FactOptions): readonly Fact[] => [
  ["State", exactStatusLabel(options.container.currentStatus), "currentStatus"],
  ...pickupFacts(options.container, options.shipment, options.now),
  ...containerFacts(options.container),
  ...timeFacts(options.container, zonesOf(options)),
  ...terminalFacts(options),
];

const factCard = (title: string, facts: readonly Fact[], sources: FieldSources): Html | null =>
  facts.length === 0 ? null : html`<section class="card"><h2>${title}</h2>${factList(facts, sources)}</section>`;

function eventTable({ timeline, names }: ContainerPageOptions): Html {
  if (timeline.length === 0) return html`<p class="muted">Nothing has been reported yet.</p>`;
  const name = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const carriedBy = ({ vesselId, voyageNumber }: TransportEvent) => {
    const vessel = name(vesselId);
    return vessel === null && voyageNumber === null
      ? null
      : html`${vessel ?? "–"}${voyageNumber && html` <span class="muted">${voyageNumber}</span>`}`;
  };
  const row = (event: TransportEvent) => html`
    <tr><th scope="row" data-label="Event">${eventLabel(event.event)}
        ${event.previousVersionId && html`<span class="tag">corrected</span>`}</th>
      <td data-label="Time">${localTime(event.occurredAt, event.timeZone, event.timePrecision)}</td>
      <td data-label="Place">${name(event.portId) ?? name(event.metroAreaId) ?? event.locationLocode ?? "–"}
        <span class="muted">${name(event.terminalId)}</span></td>
      <td data-label="Carried by">${carriedBy(event)}</td>
      <td data-label="Source">${sourceLabels[event.dataSource]}</td></tr>`;
  const table = listTable({
    caption: "Transport events in order of time",
    columns: ["Event", "Time", "Place", "Carried by", "Source"],
    rows: timeline.map(row),
  });
  return longTable(table, { id: "all-events", count: timeline.length });
}

/** `GET /containers/{id}`: all data of one container. */
export function containerPage(options: ContainerPageOptions): LivePage {
  const { caller, apiBaseUrl, container, shipment, sources, history, customFacts } = options;
  const { asOf } = options.askedTime;
  const arrivesWithShipment = shipment.containerIds.length > 1 && !arrivesSeparately(container);
  const arrival = withContainerArrival(container, shipment);
  const lastEvent = options.timeline.at(-1)?.event ?? null;
  return livePage({
    title: container.number,
    section: "containers",
    styles: "record",
    caller,
    events: asOf === null ? shipmentEvents(shipment.id) : null,
    content: html`
      <p class="muted crumbs"><a href="/containers">Containers</a> / ${container.number}</p>
      ${part("band", exceptionBand(options.exceptions, container.number))}
      ${part(
        "head",
        html`<section class="card head record">
        <div class="title"><h1><span class="number">${container.number}</span></h1>
          <p data-say="status">${containerMark(container, shipment, lastEvent, options.now)}</p>
          <div class="actions">${
            may(caller, "edit_records") &&
            html`<a class="button quiet" href="/containers/${container.id}/edit">Edit</a>`
          }<a class="button quiet" href="/containers/${container.id}/raw-events">Raw carrier events</a></div></div>
        ${arrivalSummary({
          shipment: { ...arrival, podAtaAt: container.podArrivedAt ?? arrival.podAtaAt },
          containers: [container],
          now: options.now,
          of: arrivesWithShipment ? "ofShipment" : "shipment",
          showsLastFreeDay: true,
        })}
        <div class="facts">
          <p>${routeText(shipment)}</p>
          <p>${shipment.shippingLineName} <span class="muted">${shipment.shippingLineScac}</span></p>
          <p><span class="muted">Shipment</span> <a class="number" href="/shipments/${shipment.id}?container=${
            container.id
          }${asOf && `&as_of=${encodeURIComponent(asOf)}`}">${shipment.billOfLadingNumber}</a></p>
          ${
            shipment.customerName !== null &&
            html`<p><span class="muted">Customer</span> <a href="${customerListPath("/containers", shipment.customerName)}">${shipment.customerName}</a></p>`
          }
          ${options.otherShipments.map(
            ({ id, number }) =>
              html`<p class="muted">Also in shipment <a class="number" href="/shipments/${id}">${number}</a></p>`,
          )}
        </div>
      </section>`,
      )}
      <div class="known-at">
        ${part("freshness", options.replies && freshnessNote(options.replies, options.now))}
        ${asOfControl({
          ...options.askedTime,
          changeTimes: options.changeTimes,
          path: `/containers/${container.id}`,
          parameters: {},
        })}
      </div>
      ${part(
        "container",
        html`<div class="pair">
        <section class="card"><h2>Pickup</h2>
          ${factList(knownPickupFacts(container, shipment, options.now), sources)}</section>
        <section class="card"><h2>Container</h2>${factList(containerFacts(container), sources)}</section>
      </div>
      ${asOf === null && demurrageCard(caller, options.demurrage, container)}
      ${factCard("Other times", otherTimes(options), sources)}
      ${factCard(
        "Terminal and rail",
        terminalFacts(options).filter(([, value]) => value !== "–"),
        sources,
      )}
      ${asOf === null && emissionsCard(caller, options.emissions)}
      ${factCard("Custom fields", customFacts, noSources)}
      <section class="card"><h2>Transport events</h2>${eventTable(options)}</section>
      <section class="card">
        <details id="latest-changes"><summary><h2>Latest changes</h2></summary>
          ${changeTable(
            history.filter(({ field }) => isJourneyField(shipment, field)),
            {
              container,
              zone: zoneAtPort(container, shipment),
              factsOf: (changed) => allFacts({ ...options, container: changed }),
            },
          )}</details>
        ${sameFromApi(
          apiBaseUrl,
          ["", "/demurrage", "/emissions", "/transport_events", "/history"].map((rest) => ({
            path: `/containers/${container.id}${rest}`,
          })),
        )}
      </section>`,
      )}`,
  });
}
