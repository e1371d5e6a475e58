import { requestTypes, trackingRequestStatuses } from "@svc/domain/tracking-requests";
import type { TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { z } from "zod";
import { unconnectedCarriers } from "./shared/carrier-connection.ts";
import { defineTool } from "./shared/define-tool.ts";
import { listBudget, optionalText, page, pageSize, paging, scac, timestamp } from "./shared/fields.ts";
import { listOutcome } from "./shared/list-outcome.ts";

const row = z.object({
  request_type: z.string(),
  request_number: z.string(),
  scac: optionalText,
  status: z.string(),
  failed_reason: optionalText,
  is_tracked: z.boolean(),
  connection: optionalText.describe("only none: no data arrives until the carrier is connected"),
  created_at: z.string(),
});

const isTracked = ({ relationships }: TrackingRequestResource): boolean => relationships.tracked_object.data !== null;

function toRow(request: TrackingRequestResource, unconnected: ReadonlySet<string>) {
  const { request_type, request_number, scac, status, failed_reason, created_at } = request.attributes;
  const connection = scac && !isTracked(request) && unconnected.has(scac) ? "none" : undefined;
  const is_tracked = isTracked(request);
  return { request_type, request_number, scac, status, failed_reason, is_tracked, connection, created_at };
}

export const listTrackingRequests = defineTool({
  name: "list_tracking_requests",
  title: "List tracking requests",
  description:
    "Lists requests to track a number, newest first, with their status and why they failed. Use it to see what is not " +
    'tracked yet; what is tracked is in list_shipments. Example: {"status":"failed"}.',
  input: z.strictObject({
    status: z.enum(trackingRequestStatuses).optional(),
    request_type: z.enum(requestTypes).optional(),
    filters: z
      .strictObject({
        request_number: z.string().trim().min(1).max(64).optional(),
        scac: scac.optional(),
        created_after: timestamp.optional(),
        created_before: timestamp.optional(),
      })
      .optional(),
    page,
    page_size: pageSize,
  }),
  aliases: { filter: "filters", number: "request_number", from: "created_after", to: "created_before" },
  output: z.object({ items: z.array(row), ...paging }),
  ...listBudget,
  page: () => "/tracking-requests",
  async run({ status, request_type, filters, page, page_size }, caller) {
    const filter = {
      status,
      requestType: request_type,
      requestNumber: filters?.request_number,
      scac: filters?.scac,
      createdFrom: filters?.created_after,
      createdTo: filters?.created_before,
    };
    const document = await caller.client.trackingRequests.list({ filter, page, pageSize: page_size });
    const unconnected = document.data.every(isTracked) ? new Set<string>() : await unconnectedCarriers(caller);
    const rows = document.data.map((request) => toRow(request, unconnected));
    const isWaiting = rows.some(({ connection }) => connection === "none");
    const nextStep = isWaiting
      ? "Those with connection none wait for a carrier that is not connected: get_supported_shipping_lines(search=<its scac>) says what to do."
      : "Once tracked: get_shipment_details(id=<its number>).";
    return listOutcome({ what: "tracking requests", document, items: rows, input: { page, page_size }, nextStep });
  },
});
