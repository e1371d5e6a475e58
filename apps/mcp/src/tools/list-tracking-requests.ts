import { requestTypes, trackingRequestStatuses } from "@svc/domain";
import type { TrackingRequestResource } from "@svc/jsonapi";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { listBudget, page, pageSize, paging, scac } from "./fields.ts";
import { listOutcome } from "./list-outcome.ts";

const row = z.object({
  id: z.string(),
  request_type: z.string(),
  request_number: z.string(),
  scac: z.string().optional(),
  status: z.string(),
  failed_reason: z.string().optional(),
  shipment_id: z.string().optional(),
  created_at: z.string(),
});

const moment = z.iso.datetime({ offset: true });

function rowOf({ id, attributes, relationships }: TrackingRequestResource) {
  const { request_type, request_number, scac, status, failed_reason, created_at } = attributes;
  const shipment_id = relationships.tracked_object.data?.id;
  return { id, request_type, request_number, scac, status, failed_reason, shipment_id, created_at };
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
        created_after: moment.optional(),
        created_before: moment.optional(),
      })
      .optional(),
    page,
    page_size: pageSize,
  }),
  output: z.object({ items: z.array(row), ...paging }),
  ...listBudget,
  async run({ status, request_type, filters, page, page_size }, { client }) {
    const filter = {
      status,
      requestType: request_type,
      requestNumber: filters?.request_number,
      scac: filters?.scac,
      createdFrom: filters?.created_after,
      createdTo: filters?.created_before,
    };
    const document = await client.trackingRequests.list({ filter, page, pageSize: page_size });
    const next = "Once created: get_shipment_details(shipment_id).";
    return listOutcome("tracking requests", document, document.data.map(rowOf), { page, page_size }, next);
  },
});
