import { compareText } from "@svc/domain";
import { ErrorObject, type Fault, statusOf, TrackingError, toErrorDocument } from "@svc/jsonapi";
import { readResourceObject, writeDocumentSchema } from "@svc/jsonapi/documents";
import {
  createTrackingRequestDocument,
  TrackingRequestResource,
  trackingRequestResource,
} from "@svc/jsonapi/tracking-requests";
import type { NewTrackingRequest } from "@svc/persistence/tracking";
import { z } from "zod";
import type { Caller } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import {
  lookUpDrafts,
  type PlacedDraft,
  readTrackingRequest,
  storeTrackingRequest,
} from "./create-tracking-request.ts";

const itemsMax = 500;
/** There may be 500 items in one response. */
const itemErrorsMax = 10;

const Outcome = z.object({
  status: z.string().describe("201 for a created request, else the status of the refusal."),
  id: z.uuid().optional(),
  errors: z.array(ErrorObject).optional(),
});

type Created = { readonly resource: TrackingRequestResource };
type Draft = { readonly request: NewTrackingRequest };
type Refused = { readonly faults: readonly [Fault, ...Fault[]] };

const itemPointer = (index: number): string => `/data/${index}`;

/** Returns the faults of a refused item; any other error ends the whole request. */
function refusedBecause(error: unknown): Refused {
  if (error instanceof TrackingError) return { faults: error.faults };
  throw error;
}

function readItem(item: unknown, index: number): PlacedDraft | Refused {
  const at = itemPointer(index);
  try {
    return { draft: readResourceObject(createTrackingRequestDocument, item, { pathId: null, at }), at };
  } catch (error) {
    return refusedBecause(error);
  }
}

/** Returns the row to be stored for each item, or the reason for its refusal. */
async function readItemBatch(
  services: Services,
  caller: Caller,
  items: readonly unknown[],
): Promise<(Draft | Refused)[]> {
  const read = items.map(readItem);
  const named = await lookUpDrafts(
    services,
    caller,
    read.filter((item) => "draft" in item),
  );
  return read.map((item) => {
    if ("faults" in item) return item;
    try {
      return { request: readTrackingRequest(services, caller, item, named) };
    } catch (error) {
      return refusedBecause(error);
    }
  });
}

const sortKeyOf = ({ scac, normalizedNumber }: NewTrackingRequest): string => `${scac} ${normalizedNumber}`;

/**
 * Creates the requests in one transaction, so that a failure of ours leaves nothing half-done. They are stored in the
 * order of their numbers, so that two calls with the same numbers cannot deadlock.
 */
async function createItems(
  services: Services,
  caller: Caller,
  items: readonly unknown[],
): Promise<(Created | Refused)[]> {
  const outcomes: (Created | Refused)[] = new Array(items.length);
  await services.transaction(caller.accountId, async (_sql, tx) => {
    const drafts: { readonly index: number; readonly request: NewTrackingRequest; readonly order: string }[] = [];
    for (const [index, read] of (await readItemBatch(tx, caller, items)).entries()) {
      if ("faults" in read) outcomes[index] = read;
      else drafts.push({ index, request: read.request, order: sortKeyOf(read.request) });
    }
    drafts.sort((a, b) => compareText(a.order, b.order) || a.index - b.index);
    for (const { index, request } of drafts) {
      outcomes[index] = await storeTrackingRequest(tx, caller, request, itemPointer(index)).then(
        (created) => ({ resource: trackingRequestResource(created, services.settings.baseUrl) }),
        refusedBecause,
      );
    }
  });
  return outcomes;
}

function readItems(body: unknown): readonly unknown[] {
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  if (!Array.isArray(data) || data.length === 0 || data.length > itemsMax) {
    throw TrackingError.of("malformed_document", `data must be an array of 1 to ${itemsMax} tracking requests.`, {
      source: { pointer: data === undefined ? "" : "/data" },
    });
  }
  return data;
}

/** docs/contract/decisions.md 3, Create tracking requests in bulk. */
export const createTrackingRequestsRoute = defineRoute({
  method: "post",
  path: "/tracking_requests/bulk",
  operationId: "createTrackingRequests",
  summary: "Create tracking requests in bulk",
  description:
    `Creates up to ${itemsMax} requests, each independently of the others: meta.outcomes has one entry for each, in ` +
    "order. The call counts once for the rate limit of created tracking requests.",
  tag: "Tracking requests",
  scope: "write",
  action: "track",
  rateLimit: "create_tracking_request",
  request: {
    query: {},
    body: {
      custom: z.object({
        data: z.array(writeDocumentSchema(createTrackingRequestDocument).shape.data).min(1).max(itemsMax),
      }),
    },
  },
  responses: {
    200: {
      description: "The outcome of each request.",
      schema: z.object({
        data: z.array(TrackingRequestResource).describe("The created requests, in order."),
        meta: z.object({ created: z.number().int(), refused: z.number().int(), outcomes: z.array(Outcome) }),
      }),
    },
  },
  async handle({ services, caller, body, requestId }) {
    const outcomes = await createItems(services, caller, readItems(body));
    const data = outcomes.flatMap((outcome) => ("resource" in outcome ? [outcome.resource] : []));
    const meta = {
      created: data.length,
      refused: outcomes.length - data.length,
      outcomes: outcomes.map((outcome) =>
        "resource" in outcome
          ? { status: "201", id: outcome.resource.id }
          : {
              status: String(statusOf(outcome.faults)),
              errors: toErrorDocument(outcome.faults, { requestId }, itemErrorsMax).errors,
            },
      ),
    };
    return { status: 200, document: { data, meta } };
  },
});
