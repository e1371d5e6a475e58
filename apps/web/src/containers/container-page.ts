import type { Instant } from "@svc/domain";
import { arrivesSeparately, isAtPort, isInland, withContainerArrival } from "@svc/domain/shipments";
import type { ContainerDemurrageResource } from "@svc/jsonapi/demurrage";
import type { ContainerEmissionsResource } from "@svc/jsonapi/emissions";
import type { ExceptionResource } from "@svc/sdk";
import { eventDescription, exactStatusLabel, type Html, html } from "@svc/views";
import { type RouteMapResult, routeDiagram } from "@svc/views/route-map";
import { type TimelineStep, timelineList } from "@svc/views/timeline";
import { type Caller, may } from "../access/callers.ts";
import { customerListPath } from "../customers/customer-names.ts";
import { demurrageCard } from "../demurrage/demurrage-card.ts";
import { emissionsCard, missingEmissions } from "../emissions/emissions-card.ts";
import { exceptionBand } from "../exceptions/exception-band.ts";
import { type AsOfLinks, type AsOfTime, asOfControl, backToCurrent } from "../pages/as-of.ts";
import { type LivePage, livePage, part, shipmentEvents } from "../pages/live-page.ts";
import { moreActions } from "../pages/menu.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { shareLink } from "../share-links/share-page.ts";
import type {
  ChangeRecord,
  ContainerRecord,
  FieldSources,
  KnownNames,
  ShipmentRecord,
} from "../shipments/api-records.ts";
import { arrivalCards } from "../shipments/arrival-cards.ts";
import { arrivalSummary, routeText } from "../shipments/arrival-summary.ts";
import { type Costs, costsOfContainer, reportedCosts } from "../shipments/container-costs.ts";
import {
  containerFacts,
  factsBesideHead,
  isKnownFact,
  knownPickupFacts,
  pickupFacts,
  placeFacts,
  zoneAtPort,
} from "../shipments/container-facts.ts";
import { type ContainerChoice, isNewestFirst } from "../shipments/container-list.ts";
import { factList, type LabelledValue } from "../shipments/field-sources.ts";
import { type CarrierReplies, freshnessNote, withTerminal } from "../shipments/freshness-note.ts";
import { keyFigures } from "../shipments/key-figures.ts";
import type { EtaPrediction } from "../shipments/predicted-eta.ts";
import { refreshButton } from "../shipments/refresh.ts";
import { containerMark } from "../shipments/status-mark.ts";
import { stopNotice } from "../shipments/stop-notice.ts";
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
  /** Its journey. */
  readonly steps: readonly TimelineStep[];
  readonly order: ContainerChoice["order"];
  readonly route: RouteMapResult;
  readonly prediction: EtaPrediction;
  /** Its ETA history, newest first. */
  readonly estimates: readonly ChangeRecord[];
  /** Outcome of the refresh that was just requested. */
  readonly outcome: Html | null;
  readonly names: KnownNames;
  readonly sources: FieldSources;
  /** Changes of its attributes, most recent first. */
  readonly history: readonly ChangeRecord[];
  readonly customFacts: readonly LabelledValue[];
  readonly demurrage: ContainerDemurrageResource["attributes"];
  readonly emissions: ContainerEmissionsResource["attributes"];
  readonly replies: CarrierReplies;
  readonly requestedTime: AsOfTime;
  /** When an attribute of the container changed, oldest first. */
  readonly changeTimes: readonly Instant[];
}

type FactOptions = Pick<ContainerPageOptions, "container" | "shipment" | "names" | "now">;

function railFacts({ container }: FactOptions): readonly LabelledValue[] {
  return [
    { term: "Chassis", value: container.podFullOutChassisNumber ?? "–", field: "podFullOutChassisNumber" },
    { term: "Rail carrier at the port", value: container.podRailCarrierScac ?? "–", field: null },
    { term: "Rail carrier inland", value: container.indRailCarrierScac ?? "–", field: null },
  ];
}

const zonesOf = ({ container, shipment }: FactOptions): JourneyZones => ({
  origin: shipment.portOfLading?.timeZone ?? null,
  port: zoneAtPort(container, shipment),
  destination: container.finalDestinationTimezone ?? shipment.destination?.timeZone ?? null,
});

/** Times that are not in the journey, as far as they are known. */
function otherTimes(options: ContainerPageOptions): readonly LabelledValue[] {
  const { container, shipment, steps } = options;
  const eventTimes = new Set(steps.flatMap(({ actualAt, estimatedAt }) => [actualAt, estimatedAt]));
  return timeFacts(container, zonesOf(options)).filter(({ field }) => {
    const at = container[field as keyof ContainerRecord] as Instant | null;
    return at !== null && !eventTimes.has(at) && isJourneyField(shipment, field);
  });
}

/** Without an inland destination the final gate-out repeats the one at the port. */
const isJourneyField = (shipment: ShipmentRecord, field: string | null): boolean =>
  field !== "finalDestinationFullOutAt" || isInland(shipment);

const allFacts = (options: FactOptions): readonly LabelledValue[] => [
  { term: "Status", value: exactStatusLabel(options.container.currentStatus), field: "currentStatus" },
  ...pickupFacts(options.container, options.shipment, options.now),
  ...containerFacts(options.container),
  ...timeFacts(options.container, zonesOf(options)),
  ...placeFacts(options.container, options.names, options.now),
  ...railFacts(options),
];

const factCard = (title: string, facts: readonly LabelledValue[], sources: FieldSources): Html | null =>
  facts.length === 0 ? null : html`<section class="card"><h2>${title}</h2>${factList(facts, sources)}</section>`;

const asOfLinks = ({ id }: ContainerRecord): AsOfLinks => ({ path: `/containers/${id}`, parameters: {} });

/** The main action, and the others quieter or behind "…". */
function actions({ caller, container, shipment, requestedTime }: ContainerPageOptions): Html {
  const others = html`
    ${may(caller, "edit_records") && html`<a href="/containers/${container.id}/edit">Edit</a>`}
    <button type="button" data-copies="container-number">Copy the number</button>
    <a href="/containers/${container.id}/raw-events">Raw carrier events</a>`;
  return html`
    <div class="actions">
      ${
        requestedTime.asOf === null
          ? may(caller, "share") && shareLink(shipment.id, shipment.billOfLadingNumber, "button")
          : backToCurrent(asOfLinks(container))
      }
      ${requestedTime.asOf === null && refreshButton(caller, shipment)}
      ${moreActions(others)}
    </div>`;
}

/** The rules charge until now; at an earlier time, only what the terminal had reported is known. */
const costsOf = ({ container, demurrage, exceptions, requestedTime }: ContainerPageOptions): Costs =>
  requestedTime.asOf === null
    ? costsOfContainer(container.feesAtPodTerminal, demurrage.charges, exceptions)
    : reportedCosts([container]);

function containerFigures(options: ContainerPageOptions): Html | null {
  const { container, shipment, requestedTime } = options;
  const isNow = requestedTime.asOf === null;
  return keyFigures({ shipment, containers: [container], costs: costsOf(options), isNow });
}

function head(options: ContainerPageOptions): Html {
  const { container, shipment, now } = options;
  const { asOf } = options.requestedTime;
  const arrivesWithShipment = shipment.containerIds.length > 1 && !arrivesSeparately(container);
  const arrival = withContainerArrival(container, shipment);
  const lastEvent = options.steps.findLast(({ dataSource }) => dataSource !== null)?.event ?? null;
  return html`
    <section class="card head record">
      <div class="title"><h1><span class="number" id="container-number">${container.number}</span></h1>
        <p data-say="status">${containerMark(container, shipment, lastEvent, now)}</p>
        ${actions(options)}</div>
      ${arrivalSummary({
        shipment: { ...arrival, podAtaAt: container.podArrivedAt ?? arrival.podAtaAt },
        containers: [container],
        now,
        kind: arrivesWithShipment ? "ofShipment" : "shipment",
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
      ${containerFigures(options)}
    </section>`;
}

function journeyCard({ container, shipment, steps, order, requestedTime: { asOf } }: ContainerPageOptions): Html {
  const newestFirst = isNewestFirst(container, { order, shipment });
  const other = new URLSearchParams({
    order: newestFirst ? "oldest" : "newest",
    ...(asOf !== null && { as_of: asOf }),
  });
  const otherPath = `/containers/${container.id}?${other}`;
  return html`
    <section class="card journey"><h2>Journey</h2>
      ${timelineList(steps, { newestFirst, describe: eventDescription, otherPath })}</section>`;
}

/**
 * In two columns: what the container costs and what happened to it, beside its pickup and its route. Before the arrival
 * the journey is short: then the ETA history is below it, so that both columns end together.
 */
function content(options: ContainerPageOptions): Html {
  const { caller, container, shipment, sources, customFacts, requestedTime } = options;
  const isNow = requestedTime.asOf === null;
  const isArrived = isAtPort(container, shipment);
  const co2 = isNow ? missingEmissions(caller, options.emissions) : [];
  const cost = isNow && demurrageCard(caller, options.demurrage, { container, shipment, costs: costsOf(options) });
  const hasHead = containerFigures(options) !== null;
  const known = knownPickupFacts(container, shipment, options.now);
  const pickup = html`
    <section class="card pickup"><h2>Pickup</h2>
      ${factList(
        [
          ...(hasHead ? factsBesideHead(known, container) : known).filter(
            ({ field }) => !cost || field !== "feesAtPodTerminal",
          ),
          ...placeFacts(container, options.names, options.now).filter(isKnownFact),
        ],
        sources,
      )}</section>`;
  const about = html`
    <section class="card about"><h2>Container</h2>
      ${factList([...containerFacts(container), ...customFacts, ...co2], sources)}</section>`;
  const arrival = arrivalCards({
    ...options,
    lastContainer: html`The history of the last container is on the page of <a href="/shipments/${shipment.id}">the shipment</a>.`,
  });
  return html`
    <div class="columns record-columns${!isArrived && " coming"}">
      <div class="stack">
        ${isArrived && cost}
        ${journeyCard(options)}
        ${!isArrived && cost}
        ${isArrived ? about : arrival}
        ${isNow && emissionsCard(caller, options.emissions)}
      </div>
      <div class="stack">
        ${isArrived && pickup}
        ${routeDiagram(options.route)}
        ${isArrived ? arrival : html`${pickup}${about}`}
        ${factCard("Other times", otherTimes(options), sources)}
        ${factCard("Chassis and rail", railFacts(options).filter(isKnownFact), sources)}
      </div>
    </div>`;
}

/** `GET /containers/{id}`: all data of one container. */
export function containerPage(options: ContainerPageOptions): LivePage {
  const { caller, apiBaseUrl, container, shipment, history } = options;
  const { asOf } = options.requestedTime;
  const replies = withTerminal(options.replies, container, shipment);
  return livePage({
    title: container.number,
    section: "containers",
    styles: "record",
    caller,
    events: asOf === null ? shipmentEvents(shipment.id) : null,
    content: html`
      <p class="muted crumbs"><a href="/containers">Containers</a> / ${container.number}</p>
      ${part("outcome", options.outcome)}
      ${part("band", exceptionBand(options.exceptions, container.number))}
      ${part("head", head(options))}
      <div class="known-at">
        ${part("freshness", asOf === null && freshnessNote(replies, options.now))}
        ${asOfControl({
          ...options.requestedTime,
          changeTimes: options.changeTimes,
          ...asOfLinks(container),
        })}
      </div>
      ${part("notes", stopNotice(shipment, null))}
      ${part(
        "container",
        html`${content(options)}
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
