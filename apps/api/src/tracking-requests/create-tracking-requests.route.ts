import { type Fault, TrackingError } from "@svc/domain";
import {
  createTrackingRequestDocument,
  ErrorObject,
  readResourceObject,
  statusOf,
  TrackingRequestResource,
  toErrorDocument,
  trackingRequestResource,
  writeDocumentSchema,
} from "@svc/jsonapi";
import { z } from "zod";
import type { Caller } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import type { Services } from "../services.ts";
import { createTrackingRequest } from "./create-tracking-request.ts";

const maxItems = 500;
/** So many at once: enough to hide the round trips, few enough to leave connections for others. */
const atOnce = 4;

/** There may be 500 items in one answer. */
const maxErrorsOfItem = 10;

const Outcome = z.object({
  status: z.string().describe("201 for a created request, else the status of the refusal."),
  id: z.uuid().optional(),
  errors: z.array(ErrorObject).optional(),
});

type Created = { readonly resource: TrackingRequestResource };
type Refused = { readonly faults: readonly [Fault, ...Fault[]] };

async function createItem(
  services: Services,
  caller: Caller,
  item: unknown,
  index: number,
): Promise<Created | Refused> {
  const at = `/data/${index}`;
  try {
    const draft = readResourceObject(createTrackingRequestDocument, item, { pathId: null, at });
    const request = await createTrackingRequest(services, caller, draft, at);
    return { resource: trackingRequestResource(request, services.settings.baseUrl) };
  } catch (error) {
    if (error instanceof TrackingError) return { faults: error.faults };
    throw error;
  }
}

/** In order; `atOnce` of them at a time. */
async function createItems(
  services: Services,
  caller: Caller,
  items: readonly unknown[],
): Promise<(Created | Refused)[]> {
  const outcomes: (Created | Refused)[] = new Array(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      outcomes[index] = await createItem(services, caller, items[index], index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

function readItems(body: unknown): readonly unknown[] {
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  if (!Array.isArray(data) || data.length === 0 || data.length > maxItems) {
    throw TrackingError.of("malformed_document", `data must be an array of 1 to ${maxItems} tracking requests.`, {
      source: { pointer: data === undefined ? "" : "/data" },
    });
  }
  return data;
}

/** contract-decisions.md 3, Create tracking requests in bulk. */
export const createTrackingRequestsRoute = defineRoute({
  method: "post",
  path: "/tracking_requests/bulk",
  operationId: "createTrackingRequests",
  summary: "Track many numbers",
  description: `Up to ${maxItems} at once. Each is decided for itself: meta.outcomes has one entry for each, in order.`,
  tag: "Tracking requests",
  scope: "write",
  rateLimit: "create_tracking_request",
  request: {
    query: {},
    body: {
      custom: z.object({
        data: z.array(writeDocumentSchema(createTrackingRequestDocument).shape.data).min(1).max(maxItems),
      }),
    },
  },
  responses: {
    200: {
      description: "What became of each.",
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
              errors: toErrorDocument(outcome.faults, requestId, maxErrorsOfItem).errors,
            },
      ),
    };
    return { status: 200, document: { data, meta } };
  },
});
