import { compactNumber } from "@svc/domain/identifiers";
import { readSearchQuery } from "@svc/domain/search";
import { requestTypes, type TrackingRequest, trackingRequestStatuses } from "@svc/domain/tracking-requests";
import { invalidAttribute, TrackingError } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  booleanFlag,
  codes,
  deprecated,
  enumList,
  oneText,
  type QueryDefinition,
  texts,
  timestamp,
} from "@svc/jsonapi/query";
import {
  createTrackingRequestDocument,
  editTrackingRequestDocument,
  TrackingRequestResource,
  trackingRequestResource,
} from "@svc/jsonapi/tracking-requests";
import type { CatalogueLine } from "@svc/persistence/reference-data";
import { defineRoute, type Exchange } from "../http/define-route.ts";
import { checkWritten } from "../http/preconditions.ts";
import { createdReply, listReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { lookUpDrafts, readTrackingRequest, storeTrackingRequest, toRequestType } from "./create-tracking-request.ts";
import { canonicalScacs, numberForms } from "./number-forms.ts";

const tag = "Tracking requests";
const params = { id: { of: "tracking request", kind: "uuid", description: "The tracking request's id." } } as const;
const oneQuery = { type: "tracking_request", defaultInclude: ["tracked_object"] } as const satisfies QueryDefinition;

const listQuery = {
  type: "tracking_request",
  defaultInclude: ["tracked_object"],
  list: { sortKeys: { created_at: "instant", updated_at: "instant" } },
  parameters: {
    status: enumList("filter[status]", "Status of the request.", trackingRequestStatuses),
    requestType: enumList("filter[request_type]", "Type of number; `booking` is an alias of `booking_number`.", [
      ...requestTypes,
      "booking",
    ]),
    requestNumber: texts("filter[request_number]", "The number, with or without spaces and dashes.", compactNumber),
    search: oneText(
      "filter[search]",
      "Part of a number or of a reference number, in any case. Finds up to 200 requests.",
      { maxLength: 100 },
    ),
    q: deprecated(oneText("q", "Deprecated: use filter[search].", { maxLength: 100 })),
    scac: codes("filter[scac]", "SCAC of the shipping line.", 4),
    createdFrom: timestamp("filter[created_at][start]", "Created at or after this time."),
    createdTo: timestamp("filter[created_at][end]", "Created at or before this time."),
    updatedFrom: timestamp("filter[updated_at][start]", "Updated at or after this time."),
    updatedTo: timestamp("filter[updated_at][end]", "Updated at or before this time."),
    resolved: booleanFlag(
      "filter[resolved]",
      "`true`: failed requests that no longer need an action: a member resolved the exception, or the number was " +
        "requested again or is tracked by another request. `false`: all other requests.",
    ),
    carrierConnected: booleanFlag(
      "filter[carrier_connected]",
      "`false`: pending requests whose carrier is not connected. They are polled once it is.",
    ),
  },
} as const satisfies QueryDefinition;

/** Maximum number of matches that a search lists. */
const foundMax = 200;

/** Ids of the requests that match the text. Throws `TrackingError` for a text without a visible character. */
async function findByPart(
  { services, caller: { accountId } }: Pick<Exchange<object, undefined>, "services" | "caller">,
  { text, parameter }: { readonly text: string; readonly parameter: string },
  lines: readonly CatalogueLine[],
): Promise<readonly string[]> {
  const part = readSearchQuery(text);
  if (!part) {
    const detail = `${parameter} must contain a visible character.`;
    throw TrackingError.of("invalid_parameter", detail, { source: { parameter } });
  }
  const shipments = await services.findMatchingShipments(accountId, part, foundMax);
  const shipmentIds = shipments.map(({ id }) => id);
  const numbers = numberForms([part.text], lines);
  return services.trackingRequests.findMatching(accountId, part, { shipmentIds, numbers, limit: foundMax });
}

const createOne = defineRoute({
  method: "post",
  path: "/tracking_requests",
  operationId: "createTrackingRequest",
  summary: "Create a tracking request",
  description:
    "Stores the request and starts to poll the carrier. A webhook and `status` report whether the number was found. " +
    "A waiting request for the same number with another type is corrected and returned instead.",
  tag,
  scope: "write",
  action: "track",
  rateLimit: "create_tracking_request",
  request: { query: { type: "tracking_request" }, body: { document: createTrackingRequestDocument } },
  responses: { 201: { description: "The tracking request.", schema: documentSchema(TrackingRequestResource) } },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const placed = { draft: body, at: "/data" };
    const draft = readTrackingRequest(services, caller, placed, await lookUpDrafts(services, caller, [placed]));
    const request = await storeTrackingRequest(services, caller, draft, placed.at);
    return createdReply(exchange, request, trackingRequestResource);
  },
});

const listAll = defineRoute({
  method: "get",
  path: "/tracking_requests",
  operationId: "listTrackingRequests",
  summary: "List tracking requests",
  description: "Lists the account's tracking requests, newest first, or by the time of their last change.",
  tag,
  scope: "read",
  request: { query: listQuery },
  responses: { 200: { description: "A page of requests, newest first.", schema: pageSchema(TrackingRequestResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { requestNumber: named, requestType, q, search: text = q, scac, ...others } = query.parameters;
    const lines = named || text || scac ? await services.shippingLines() : [];
    const requestNumber = named && numberForms(named, lines);
    const parameter = query.parameters.search === undefined ? "q" : "filter[search]";
    const id = text === undefined ? undefined : await findByPart(exchange, { text, parameter }, lines);
    const filters = {
      ...others,
      ...(requestType && { requestType: requestType.map(toRequestType) }),
      ...(requestNumber && { requestNumber }),
      ...(id && { id }),
      ...(scac && { scac: canonicalScacs(scac, lines) }),
    };
    return listReply<TrackingRequest>(exchange, {
      path: "/tracking_requests",
      page: await services.trackingRequests.list(caller.accountId, filters, query.page),
      resource: trackingRequestResource,
      sortValues: { created_at: (request) => request.createdAt, updated_at: (request) => request.updatedAt },
    });
  },
});

const getOne = defineRoute({
  method: "get",
  path: "/tracking_requests/{id}",
  operationId: "getTrackingRequest",
  summary: "Get a tracking request",
  description: "Returns the tracking request with this id: whether the number was found, and the reason if not.",
  tag,
  scope: "read",
  request: { params, query: oneQuery },
  responses: { 200: { description: "The tracking request.", schema: documentSchema(TrackingRequestResource) } },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id } = params;
    const request = requireFound("tracking request", id, await services.trackingRequests.find(caller.accountId, id));
    return recordReply(exchange, request, trackingRequestResource);
  },
});

const editOne = defineRoute({
  method: "patch",
  path: "/tracking_requests/{id}",
  operationId: "editTrackingRequest",
  summary: "Update a tracking request",
  description: "Changes the reference numbers that are copied when the shipment is found. Those copied before stay.",
  tag,
  scope: "write",
  action: "track",
  request: { params, query: oneQuery, body: { document: editTrackingRequestDocument }, conditional: true },
  responses: { 200: { description: "The tracking request.", schema: documentSchema(TrackingRequestResource) } },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { id } = params;
    const { ref_numbers: sentRefNumbers, ref_number: sentRefNumber } = body.attributes;
    if (sentRefNumbers !== undefined && sentRefNumber !== undefined) {
      throw invalidAttribute("ref_number", "ref_number cannot be combined with ref_numbers. Send one of them.");
    }
    const refNumbers = sentRefNumber === undefined ? sentRefNumbers : [sentRefNumber];
    const options = { now: services.clock.now(), ifVersions };
    const written =
      refNumbers !== undefined && (await services.trackingRequests.edit(caller.accountId, id, { refNumbers }, options));
    const request = requireFound("tracking request", id, await services.trackingRequests.find(caller.accountId, id));
    checkWritten(written, ifVersions, request);
    return recordReply(exchange, request, trackingRequestResource);
  },
});

export const trackingRequestRoutes = [createOne, listAll, getOne, editOne];
