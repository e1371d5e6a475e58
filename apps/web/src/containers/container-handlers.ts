import { type Instant, instantOrNull } from "@svc/domain";
import type { Client } from "@svc/sdk";
import { readFieldFacts } from "../custom-fields/read-defined-fields.ts";
import { readHandledCosts } from "../exceptions/exception-band.ts";
import { findRecord, nullIfNotFound } from "../http/find-record.ts";
import type { AccountHandler } from "../http/handler.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { notTrackedYet, readAsOf } from "../pages/as-of.ts";
import { sendLivePage } from "../pages/live-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import {
  fieldSources,
  namesOf,
  resourcesOfType,
  toChangeRecord,
  toContainerRecord,
  toShipmentRecord,
} from "../shipments/api-records.ts";
import { withComingTransshipments } from "../shipments/coming-transshipments.ts";
import { readEstimates } from "../shipments/container-estimates.ts";
import { readOrder } from "../shipments/container-list.ts";
import { dayByRule } from "../shipments/last-free-day.ts";
import { readRouteMap } from "../shipments/read-route-map.ts";
import { refreshNotice } from "../shipments/refresh.ts";
import { toTimelineStep } from "../shipments/timeline-steps.ts";
import { findOtherShipments } from "../tracking-requests/tracked-containers.ts";
import { containerPage } from "./container-page.ts";
import { rawEventsPage } from "./raw-events-page.ts";

const rawEventsOnPage = 50;
const visibleChangesMax = 50;
const changesMax = 100;
const attributesMax = 100;

const include = ["shipment", "pod_terminal", "pickup_facility"];

/** The journey, the ETA changes and the state of the carrier's replies. */
async function readSummary(api: Client, shipmentId: string, containerId: string, asOf: Instant | null) {
  const { data, included } = await api.shipments.trackingSummary(shipmentId, {
    containerId,
    ...(asOf !== null && { asOf }),
  });
  const { journey, freshness, last_changed_at: changedAt, predicted_eta: prediction } = data.attributes;
  const [shipment] = resourcesOfType(included, "shipment").map(toShipmentRecord);
  return {
    journey: journey.map(toTimelineStep),
    prediction,
    estimates: resourcesOfType(included, "field_change").map(toChangeRecord),
    replies: {
      freshness,
      changedAt: instantOrNull(changedAt),
      answeredAt: shipment?.lineTrackingLastSucceededAt ?? null,
    },
  };
}

async function readContainer(api: Client, id: string, asOf: Instant | null) {
  const then = asOf === null ? {} : { asOf };
  const container = api.containers.get(id, { include, ...then });
  const readOthers = async () => {
    const { data, included } = await container;
    const record = toContainerRecord(data);
    const [shipment] = resourcesOfType(included, "shipment").map(toShipmentRecord);
    const [others, { estimates: ofShipment, ...summary }] = await Promise.all([
      asOf === null ? findOtherShipments(api, record.number, record.shipmentId) : [],
      readSummary(api, record.shipmentId, id, asOf),
    ]);
    const estimates = shipment ? await readEstimates(api, record, shipment, { ofShipment, asOf }) : ofShipment;
    return { others, summary: { ...summary, estimates } };
  };
  const [
    { data, included },
    changes,
    provenance,
    customFacts,
    demurrage,
    emissions,
    exceptions,
    handled,
    route,
    {
      others,
      summary: { journey, ...summary },
    },
  ] = await Promise.all([
    container,
    api.containers.history(id, { pageSize: changesMax }),
    api.containers.provenance(id, { pageSize: attributesMax, ...then }),
    readFieldFacts(api, "containers", id),
    api.containers.demurrage(id),
    api.containers.emissions(id),
    asOf === null ? api.exceptions.list({ filter: { container: id, status: "open" } }) : null,
    asOf === null ? readHandledCosts(api, { container: id }) : [],
    readRouteMap(api, id, asOf),
    readOthers(),
  ]);
  const [shipment] = resourcesOfType(included, "shipment").map(toShipmentRecord);
  if (shipment === undefined) return null;
  const history = changes.data.map(toChangeRecord);
  return {
    container: {
      ...toContainerRecord(data),
      lastFreeDayByRule: asOf === null ? dayByRule(demurrage.data) : null,
    },
    shipment,
    steps: withComingTransshipments(journey, route),
    route,
    names: namesOf(included),
    sources: fieldSources(provenance.data),
    history: history.filter(({ validFrom }) => asOf === null || validFrom <= asOf).slice(0, visibleChangesMax),
    changeTimes: [...new Set(history.map(({ validFrom }) => validFrom))].toReversed(),
    customFacts,
    demurrage: demurrage.data.attributes,
    emissions: emissions.data.attributes,
    exceptions: [...(exceptions?.data ?? []), ...handled],
    otherShipments: others,
    ...summary,
  };
}

/** `GET /containers/{id}` and `GET /containers/{id}/raw-events?page=`. Both throw `TrackingError` `not_found`. */
export function containerHandlers({ apiBaseUrl, clock }: Pick<Services, "apiBaseUrl" | "clock">) {
  const show: AccountHandler = async (request, response, caller) => {
    const time = readAsOf(request, clock.now());
    const read = async (id: string) => {
      const then = time.asOf && (await nullIfNotFound(readContainer(caller.api, id, time.asOf)));
      if (then) return { ...then, requestedTime: time };
      const requestedTime = time.asOf === null ? time : notTrackedYet(time.asOf);
      const present = await readContainer(caller.api, id, null);
      return present && { ...present, requestedTime };
    };
    const records = await findRecord("container", request.params.id, (id) => nullIfNotFound(read(id)));
    const now = records.requestedTime.asOf ?? clock.now();
    sendLivePage(
      request,
      response,
      containerPage({
        caller,
        apiBaseUrl,
        now,
        order: readOrder(request),
        outcome: refreshNotice(request, records.shipment),
        ...records,
      }),
    );
  };

  const showRawEvents: AccountHandler = async (request, response, { api, ...caller }) => {
    const number = readPageNumber(queryText(request, "page"));
    const paged = { page: number, pageSize: rawEventsOnPage, sort: "-created_at" };
    const [{ data: container }, { data: events, links }] = await findRecord("container", request.params.id, (id) =>
      nullIfNotFound(Promise.all([api.containers.get(id, { include: [] }), api.containers.rawEvents(id, paged)])),
    );
    const hasOlder = links?.next !== undefined;
    sendPage(response, 200, rawEventsPage({ caller, apiBaseUrl, container, events, number, hasOlder }));
  };

  return { show, showRawEvents };
}
