import { requestTypes } from "@svc/domain";
import { z } from "zod";
import { apiSlug, valueOrDefault } from "../custom-fields/custom-field-value.ts";
import { refNumbers, tags, text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { toOneOrNull } from "../resource.ts";
import { attributeNames } from "../resource-graph.ts";

const initialField = { api_slug: apiSlug, value: valueOrDefault };

const initialCustomFields = z.strictObject({
  shipment: z.array(z.strictObject(initialField)).max(100).optional(),
  containers: z
    .array(
      z.strictObject({
        ...initialField,
        number: text(20).optional().describe("Number of the only container that gets it; absent: all of them."),
      }),
    )
    .max(500)
    .optional(),
});

/** docs/contract/specification.md, Create a tracking request; docs/contract/reference.md 1.1. */
export const createTrackingRequestDocument = {
  name: "CreateTrackingRequest",
  type: "tracking_request",
  attributes: z.strictObject({
    request_type: z.enum(requestTypes),
    request_number: text(100),
    scac: text(4).nullish().describe("Of the shipping line; needed unless auto_detect_vocc_scac is true."),
    auto_detect_vocc_scac: z
      .boolean()
      .optional()
      .describe(
        "Tell the shipping line from the number. scac is null until then, and the request fails if none is told.",
      ),
    ref_numbers: refNumbers.optional().describe("Copied to the shipment and its containers."),
    shipment_tags: tags.optional().describe("Copied to the shipment."),
    initial_custom_fields: initialCustomFields
      .optional()
      .describe("Custom fields that the shipment and its containers get when they are made."),
  }),
  relationships: z.strictObject({ customer: toOneOrNull("party").optional() }),
  readOnly: attributeNames("tracking_request"),
} satisfies WriteDocument;

/** docs/contract/reference.md 1.1: only the reference numbers can be changed, and only of the request itself. */
export const editTrackingRequestDocument = {
  name: "EditTrackingRequest",
  type: "tracking_request",
  attributes: z.strictObject({
    ref_numbers: refNumbers.optional(),
    ref_number: text(100).optional().describe("Deprecated: the only one that ref_numbers is to have."),
  }),
  readOnly: attributeNames("tracking_request"),
} satisfies WriteDocument;
