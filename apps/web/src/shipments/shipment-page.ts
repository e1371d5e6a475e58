import type { Instant } from "@svc/domain";
import { arrivesSeparately, containerAta, lastContainer } from "@svc/domain/shipments";
import type { ExceptionResource } from "@svc/sdk";
import { eventDescription, type Html, html } from "@svc/views";
import { type RouteMapResult, routeDiagram } from "@svc/views/route-map";
import { type TimelineStep, timelineList } from "@svc/views/timeline";
import { type Caller, may } from "../access/callers.ts";
import { customerListPath } from "../customers/customer-names.ts";
import { bandSaysSilence, exceptionBand } from "../exceptions/exception-band.ts";
import { noteMarkup } from "../notes/note-markup.ts";
import { type AsOfLinks, type AsOfTime, asOfControl, backToCurrent } from "../pages/as-of.ts";
import { type LivePage, livePage, part, shipmentEvents } from "../pages/live-page.ts";
import { moreActions } from "../pages/menu.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { firstReferences, otherReferences } from "../pages/visible-references.ts";
import { shareLink } from "../share-links/share-page.ts";
import type { ChangeRecord, ContainerRecord, FieldSources, KnownNames, ShipmentRecord } from "./api-records.ts";
import { arrivalCards } from "./arrival-cards.ts";
import { arrivalSummary, isSplit, routeText } from "./arrival-summary.ts";
import type { Costs } from "./container-costs.ts";
import {
  containerFacts,
  factsBesideHead,
  isKnownFact,
  isReportedLater,
  knownPickupFacts,
  placeFacts,
} from "./container-facts.ts";
import {
  type ContainerChoice,
  containerFilter,
  containerLinks,
  containerPath,
  isNewestFirst,
  parametersOf,
} from "./container-list.ts";
import { factList, type LabelledValue } from "./field-sources.ts";
import { type CarrierReplies, freshnessNote, lastReportNote, withTerminal } from "./freshness-note.ts";
import { keyFigures } from "./key-figures.ts";
import type { EtaPrediction } from "./predicted-eta.ts";
import { refreshButton } from "./refresh.ts";
import { relatedShipmentsNote } from "./related-shipments-note.ts";
import { separateArrivalsNote } from "./separate-arrivals.ts";
import { shipmentFacts } from "./shipment-facts.ts";
import { availableSince, stages } from "./stages.ts";
import { shipmentMark } from "./status-mark.ts";
import { stopNotice } from "./stop-notice.ts";

export interface ShipmentPageOptions {
  /** Present time on the clock of the tracked shipment. */
  readonly now: Instant;
  /** Open ones, most urgent first, then those that still cost. */
  readonly exceptions: readonly ExceptionResource[];
  /** Null: not available. */
  readonly costs: Costs | null;
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly shipment: ShipmentRecord;
  readonly customFacts: readonly LabelledValue[];
  readonly choice: ContainerChoice;
  readonly requestedTime: AsOfTime;
  /** When what is known of the shipment and the selected container changed, oldest first. */
  readonly changeTimes: readonly Instant[];
  /** The address names a container that does not belong to this shipment. */
  readonly unknownContainer: boolean;
  /** Options of `relatedShipmentsNote`. */
  readonly relatedShipments: Parameters<typeof relatedShipmentsNote>[0];
  /** Timeline of the selected container. */
  readonly steps: readonly TimelineStep[];
  readonly containerSources: FieldSources;
  readonly replies: CarrierReplies;
  /** Outcome of the refresh that was just requested, or of mentions in the note that was just saved. */
  readonly outcome: Html | null;
  /** Email addresses of the members; empty when the note mentions no address. */
  readonly members: readonly string[];
  /** Email address of the user who stopped tracking. */
  readonly stoppedBy: string | null;
  readonly route: RouteMapResult;
  /** The last known route of a shipment that has no route any more. */
  readonly lastKnownRoute: string | null;
  readonly names: KnownNames;
  /** Field sources of the shipment. */
  readonly sources: FieldSources;
  readonly prediction: EtaPrediction;
  /** ETA history of the selected container, newest first. */
  readonly estimates: readonly ChangeRecord[];
}

/** Links to the container that arrives last. */
function lastContainerNote(choice: ContainerChoice): Html | null {
  const last = lastContainer(choice.containers);
  if (last === undefined) return null;
  return html`Last container: <a class="number" href="${containerPath(choice, last.id)}">${last.number}</a>`;
}

/** The facts of the pickup; of the only container those that the head does not have, and the parts of its figures. */
function pickupCardFacts(
  { shipment, choice, names, now }: ShipmentPageOptions,
  container: ContainerRecord,
): readonly LabelledValue[] {
  const known = knownPickupFacts(container, shipment, now);
  const place = placeFacts(container, names, now).filter(isKnownFact);
  return [...(choice.containers.length > 1 ? known : factsBesideHead(known, container)), ...place];
}

function selected(options: ShipmentPageOptions): Html | null {
  const { choice, steps, containerSources, route } = options;
  const container = choice.containers.find(({ id }) => id === choice.selectedId);
  if (!container) return relatedShipmentsNote(options.relatedShipments);
  const newestFirst = isNewestFirst(container, choice);
  const otherPath = containerPath(choice, container.id, { order: newestFirst ? "oldest" : "newest" });
  const arrival = arrivalCards({ ...options, container, lastContainer: lastContainerNote(choice) });
  const pickup = isReportedLater(container, options.shipment) ? [] : pickupCardFacts(options, container);
  // Until the container is at the port of discharge, its arrival is of more interest than its pickup.
  const isAtPort = containerAta(container) !== null;
  return html`
    <section class="columns trip" aria-label="Container ${container.number}">
      <div class="stack">
        ${routeDiagram(route, container.number)}
        <div class="card journey">
          <h2><span class="number">${container.number}</span> journey</h2>
          ${timelineList(steps, { newestFirst, describe: eventDescription, otherPath })}
        </div>
      </div>
      <div class="stack">
        ${!isAtPort && arrival}
        ${
          pickup.length > 0 &&
          html`<div class="card">
            <h2>Pickup of <span class="number">${container.number}</span></h2>
            ${factList(pickup, containerSources)}
          </div>`
        }
        <div class="card journey">
          <h2>Container <span class="number">${container.number}</span></h2>
          ${factList(containerFacts(container), containerSources)}
          <p><a href="/containers/${container.id}${
            choice.asOf && `?as_of=${encodeURIComponent(choice.asOf)}`
          }">Container details</a></p>
        </div>
        ${isAtPort && arrival}
        ${relatedShipmentsNote(options.relatedShipments)}
      </div>
    </section>`;
}

const asOfLinks = ({ shipment, choice }: ShipmentPageOptions): AsOfLinks => ({
  path: `/shipments/${shipment.id}`,
  parameters: parametersOf(choice),
});

/** The main action, and the others quieter or behind "…". */
function actions(options: ShipmentPageOptions): Html {
  const { shipment, caller, requestedTime } = options;
  const { asOf } = requestedTime;
  const { id, billOfLadingNumber } = shipment;
  const others = html`
    ${may(caller, "edit_records") && html`<a href="/shipments/${id}/edit">Edit</a>`}
    <button type="button" data-copies="shipment-number">Copy the number</button>
    ${caller.user && html`<a href="/shipments/${id}/json">View JSON</a>`}
    ${
      asOf === null &&
      shipment.lineTrackingStoppedAt === null &&
      may(caller, "track") &&
      html`<form method="post" action="/shipments/${id}/tracking">
        <button name="action" value="stop">Stop tracking</button></form>`
    }`;
  return html`
    <div class="actions">
      ${asOf === null && may(caller, "share") && shareLink(id, billOfLadingNumber, "button")}
      ${asOf !== null && backToCurrent(asOfLinks(options))}
      ${asOf === null && refreshButton(caller, shipment)}
      ${moreActions(others)}
    </div>`;
}

function head(options: ShipmentPageOptions): Html {
  const { shipment, choice, members, sources, now, lastKnownRoute } = options;
  const { containers } = choice;
  const { billOfLadingNumber, shippingLineName, shippingLineScac, customerName, refNumbers, note } = shipment;
  return html`
      <section class="card head record">
        <div class="title"><h1><span class="number" id="shipment-number">${billOfLadingNumber}</span></h1>
          <p><span data-say="status">${shipmentMark(shipment, containers, now)}</span>
            ${shipment.tags.map((tag) => html`<span class="tag">${tag}</span> `)}</p>
          ${actions(options)}</div>
        ${arrivalSummary({
          shipment,
          containers,
          now,
          kind: containers.some(arrivesSeparately) || isSplit(sources.get("podEtaAt")?.rule) ? "separate" : "shipment",
          showsLastFreeDay: true,
        })}
        <div class="facts">
          <p>${lastKnownRoute && html`<span class="muted">Last known route</span> `}${
            lastKnownRoute ?? routeText(shipment)
          }</p>
          <p>${shippingLineName} <span class="muted">${shippingLineScac}</span></p>
          ${
            customerName !== null &&
            html`<p><span class="muted">Customer</span> <a href="${customerListPath("/shipments", customerName)}">${customerName}</a></p>`
          }
          ${
            refNumbers.length > 0 &&
            html`<div><span class="muted">References</span> ${firstReferences(refNumbers)}
              ${otherReferences(refNumbers, shipment.id)}</div>`
          }
          ${note !== null && html`<p class="note"><span class="muted">Note</span> ${noteMarkup(note, members)}</p>`}
        </div>
        ${keyFigures({ shipment, containers, costs: options.costs, isNow: options.requestedTime.asOf === null })}
        ${stages(shipment, containers, availableSince(containers, options.steps))}
      </section>`;
}

const isUpToDate = ({ shipment, replies, exceptions }: ShipmentPageOptions): boolean =>
  shipment.lineTrackingStoppedReason === null && (replies.freshness === "fresh" || bandSaysSilence(exceptions));

const otherContainer = "That container is not part of this shipment; the first one is shown.";

/** Renders at most two notices, so that they are read. */
function notes(options: ShipmentPageOptions): Html {
  const { shipment, replies, now, stoppedBy, unknownContainer } = options;
  return html`
    ${stopNotice(shipment, stoppedBy) ?? (!isUpToDate(options) && freshnessNote(replies, now))}
    ${unknownContainer && noticeBanner("warning", otherContainer)}`;
}

export function shipmentPage(options: ShipmentPageOptions): LivePage {
  const { caller, apiBaseUrl, shipment, sources, names } = options;
  const { billOfLadingNumber } = shipment;
  const { selectedId } = options.choice;
  const container = options.choice.containers.find(({ id }) => id === selectedId);
  const { asOf } = options.requestedTime;
  const replies = withTerminal(options.replies, container, shipment);
  const query = new URLSearchParams({
    ...(selectedId !== null && { container_id: selectedId }),
    ...(asOf !== null && { as_of: asOf }),
  });
  const chosen = query.size === 0 ? "" : `?${query}`;
  return livePage({
    title: billOfLadingNumber,
    styles: "record",
    caller,
    events: asOf === null ? shipmentEvents(shipment.id) : null,
    content: html`
      <p class="muted crumbs"><a href="/shipments">Shipments</a> / ${billOfLadingNumber}</p>
      ${part("outcome", options.outcome)}
      ${part("band", exceptionBand(options.exceptions, billOfLadingNumber))}
      ${part("head", head(options))}
      <div class="known-at">
        ${part("freshness", isUpToDate(options) && lastReportNote(replies, options.now))}
        ${asOfControl({
          ...options.requestedTime,
          changeTimes: options.changeTimes,
          ...asOfLinks(options),
        })}
      </div>
      ${part("notes", notes(options))}
      ${containerFilter(options.choice)}
      ${part(
        "containers",
        html`${separateArrivalsNote(options.choice.containers, shipment)}${containerLinks(options.choice)}`,
      )}
      ${part("container", selected(options))}
      ${part(
        "shipment",
        html`<section class="card">
        <details id="all-data"><summary><h2>All shipment data</h2></summary>
          ${factList([...shipmentFacts(shipment, options.choice.containers, names), ...options.customFacts], sources)}
        </details>
        ${sameFromApi(apiBaseUrl, [{ path: `/shipments/${shipment.id}/tracking_summary${chosen}` }])}
      </section>`,
      )}`,
  });
}
