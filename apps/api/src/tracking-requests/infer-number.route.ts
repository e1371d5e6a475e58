import { inferNumber } from "@svc/domain/identifiers";
import { InferNumberDocument, inferNumberBody, inferNumberDocument } from "@svc/jsonapi/tracking-requests";
import { defineRoute } from "../http/define-route.ts";

/** docs/contract/reference.md 1.1. */
export const inferNumberRoute = defineRoute({
  method: "post",
  path: "/tracking_requests/infer_number",
  operationId: "inferNumber",
  summary: "Detect carrier and number type",
  description: "Derives the carrier and type from the number's format. Does not store the number or contact a carrier.",
  tag: "Tracking requests",
  scope: "read",
  rateLimit: "infer",
  plainJson: true,
  request: { query: {}, body: { plain: inferNumberBody } },
  responses: { 200: { description: "The possible kinds and carriers of the number.", schema: InferNumberDocument } },
  async handle({ services, body }) {
    const inferred = inferNumber(body.number, await services.shippingLines());
    return { status: 200, document: inferNumberDocument(`req_${services.ids.next()}`, inferred) };
  },
});
