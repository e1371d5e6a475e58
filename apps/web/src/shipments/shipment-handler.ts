import { compareText, type Instant, instant, instantOrNull } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { hasMentions } from "@svc/domain/notes";
import { ApiError, type Client, SvcError } from "@svc/sdk";
import type { TimelineStep } from "@svc/views/timeline";
import type { Request } from "express";
import { readFieldFacts } from "../custom-fields/read-defined-fields.ts";
import { readHandledCosts } from "../exceptions/exception-band.ts";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { AccountHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { mentionNotice } from "../notes/note-markup.ts";
import { notTrackedYet, readAsOf } from "../pages/as-of.ts";
import { sendLivePage } from "../pages/live-page.ts";
import type { Services } from "../services.ts";
import {
  type ContainerRecord,
  fieldSources,
  milestoneName,
  namesOf,
  resourcesOfType,
  toChangeRecord,
  toContainerRecord,
  toShipmentRecord,
} from "./api-records.ts";
import { withComingTransshipments } from "./coming-transshipments.ts";
import { readShipmentCosts, reportedCosts } from "./container-costs.ts";
import { readEstimates } from "./container-estimates.ts";
import { canBeFiltered, readOrder } from "./container-list.ts";
import { lastEtaCause } from "./eta-history.ts";
import { readLastKnownRoute } from "./last-known-route.ts";
import { readRouteMap } from "./read-route-map.ts";
import { refreshNotice } from "./refresh.ts";
import { shipmentPage } from "./shipment-page.ts";
import { toTimelineStep } from "./timeline-steps.ts";
import { stoppedNote } from "./undo-stop.ts";

type TrackingSummary = Awaited<ReturnType<typeof readSummaryAt>>["summary"];

/** The summary for the wanted container; null when it is not one of the shipment. */
async function readContainerSummary(api: Client, id: string, containerId: string, asOf: Instant | undefined) {
  try {
    return await api.shipments.trackingSummary(id, { containerId, asOf });
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return null;
    throw error;
  }
}

/** `known`: the summary of the wanted container; null when none is wanted or it is not one of the shipment. */
async function readSummaryAt(api: Client, id: string, containerId: string, at: Instant | null) {
  const asOf = at ?? undefined;
  const known = isUuid(containerId) ? await readContainerSummary(api, id, containerId, asOf) : null;
  return { known, summary: known ?? (await api.shipments.trackingSummary(id, { asOf })) };
}

/** The summary at the asked time; the present one, with the reason, when the shipment was not tracked then. */
async function readSummary(api: Client, request: Request, id: string, now: Instant) {
  const containerId = queryText(request, "container");
  const requestedTime = readAsOf(request, now);
  if (requestedTime.asOf !== null) {
    const then = await nullIfNotFound(readSummaryAt(api, id, containerId, requestedTime.asOf));
    if (then !== null) return { ...then, requestedTime };
  }
  const present = await readSummaryAt(api, id, containerId, null);
  if (requestedTime.asOf === null) return { ...present, requestedTime };
  return { ...present, requestedTime: notTrackedYet(requestedTime.asOf) };
}

function summaryShipment({ included }: TrackingSummary) {
  const [shipment] = resourcesOfType(included, "shipment").map(toShipmentRecord);
  if (shipment === undefined) throw new SvcError("The summary of a shipment has no shipment.");
  return shipment;
}

function summaryContainers({ data, included }: TrackingSummary): ContainerRecord[] {
  const daysByRule = new Map(data.attributes.last_free_days_by_rule.map((rule) => [rule.container_id, rule.day]));
  return resourcesOfType(included, "container").map((container) => ({
    ...toContainerRecord(container),
    lastFreeDayByRule: daysByRule.get(container.id) ?? null,
  }));
}

const summaryLastEvents = ({ data }: TrackingSummary) =>
  data.attributes.last_events.map(({ container_id, event, timestamp, timezone }) => ({
    containerId: container_id,
    event: milestoneName(event),
    occurredAt: instantOrNull(timestamp),
    timeZone: timezone,
  }));

/** The sources of the fields, of the shipment or of its selected container. */
function summarySources({ included }: TrackingSummary, links: readonly { readonly id: string }[]) {
  const ids = new Set(links.map(({ id }) => id));
  return fieldSources(resourcesOfType(included, "provenance").filter(({ id }) => ids.has(id)));
}

/**
 * The arrival at the port of discharge, while it is estimated, says why its estimate changed; of a container that
 * arrives separately only if the ETA of the shipment is its own.
 */
const withEtaCause = (step: TimelineStep, note: string | null, etaAt: Instant | null): TimelineStep =>
  step.event === "vessel_arrived" && step.dataSource === null && step.estimatedAt === etaAt ? { ...step, note } : step;

const filterLengthMax = 100;

const readFilter = (request: Request): string =>
  queryText(request, "filter").slice(0, filterLengthMax).toWellFormed().replaceAll("\0", "");

/** Containers with an exception first, then by number. */
const displayOrder = (containers: readonly ContainerRecord[], exceptionIds: ReadonlySet<string>) =>
  containers.toSorted(
    (one, other) =>
      Number(exceptionIds.has(other.id)) - Number(exceptionIds.has(one.id)) || compareText(one.number, other.number),
  );

/**
 * `GET /shipments/{id}?container={container_id}&order=oldest&filter=`. Throws `TrackingError` `not_found`, also for the
 * id of another account.
 */
export function shipmentHandler(
  services: Pick<Services, "members" | "apiBaseUrl" | "clock" | "sendsMail">,
): AccountHandler {
  const { members, apiBaseUrl, clock, sendsMail } = services;
  return async (request, response, caller) => {
    const { api } = caller;
    const now = clock.now();
    const { known, summary, requestedTime } = await findRecord("shipment", request.params.id, (id) =>
      nullIfNotFound(readSummary(api, request, id, now)),
    );
    const { asOf } = requestedTime;
    const { data, included } = summary;
    const { attributes, relationships } = data;
    const shipment = summaryShipment(summary);
    const containers = summaryContainers(summary);
    const selectedId = relationships.container.data?.id ?? null;
    const userId = shipment.lineTrackingStoppedByUserId;
    const ofShipment = resourcesOfType(included, "field_change").map(toChangeRecord);
    const selected = containers.find(({ id }) => id === selectedId);
    const [route, lastKnownRoute, customFacts, stoppedBy, mentionable, handledCosts, costs, estimates] =
      await Promise.all([
        readRouteMap(api, selectedId, asOf),
        readLastKnownRoute(api, shipment, asOf),
        readFieldFacts(api, "shipments", shipment.id),
        userId === null ? null : members.find(caller.accountId, userId),
        hasMentions(shipment.note) ? members.list(caller.accountId) : [],
        asOf === null ? readHandledCosts(api, { shipment: shipment.id }) : [],
        asOf === null ? readShipmentCosts(api, shipment, now) : reportedCosts(containers),
        readEstimates(api, selected, shipment, { ofShipment, asOf }),
      ]);
    const exceptions = resourcesOfType(included, "exception");
    const exceptionIds = new Set(exceptions.flatMap((one) => one.relationships.container.data?.id ?? []));
    const etaCause = lastEtaCause(ofShipment, shipment);
    const isNoteSaved = sendsMail && queryText(request, "done") === "note";
    const page = shipmentPage({
      now: asOf ?? now,
      requestedTime,
      changeTimes: attributes.change_times.map((at) => instant(at)),
      exceptions: [...exceptions, ...handledCosts],
      costs,
      caller,
      apiBaseUrl,
      shipment,
      customFacts,
      choice: {
        shipment,
        containers: displayOrder(containers, exceptionIds),
        exceptionIds,
        now: asOf ?? now,
        lastEvents: summaryLastEvents(summary),
        selectedId,
        asOf,
        order: readOrder(request),
        typed: canBeFiltered(containers) ? readFilter(request) : "",
      },
      relatedShipments: attributes.related_shipments,
      unknownContainer: typeof request.query.container === "string" && known === null,
      steps: withComingTransshipments(
        attributes.journey.map(toTimelineStep).map((step) => withEtaCause(step, etaCause, shipment.podEtaAt)),
        route,
      ),
      containerSources: summarySources(summary, relationships.container_provenance.data),
      estimates,
      sources: summarySources(summary, relationships.provenance.data),
      replies: {
        freshness: attributes.freshness,
        changedAt: instantOrNull(attributes.last_changed_at),
        answeredAt: shipment.lineTrackingLastSucceededAt,
      },
      outcome:
        refreshNotice(request, shipment) ??
        stoppedNote(request, caller, shipment) ??
        (isNoteSaved ? mentionNotice(shipment.note, mentionable) : null),
      prediction: attributes.predicted_eta,
      stoppedBy,
      members: mentionable,
      route,
      lastKnownRoute,
      names: namesOf(included),
    });
    sendLivePage(request, response, page);
  };
}
