import { requestTypes } from "@svc/domain/tracking-requests";
import { z } from "zod";
import { apiSlug, valueOrDefault } from "../custom-fields/custom-field-value.ts";
import { refNumbers, tags, text, textOrEmpty } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { toOneOrNull } from "../resource.ts";
import { attributeNames } from "../resource-graph.ts";

const initialField = { api_slug: apiSlug, value: valueOrDefault };

const initialCustomFields = z.strictObject({
  shipment: z.array(z.strictObject(initialField)).max(100).nullish(),
  containers: z
    .array(
      z.strictObject({
        ...initialField,
        number: textOrEmpty(20)
          .nullish()
          .describe("Number of the one container that gets the value. Absent, null or empty: every container."),
      }),
    )
    .max(500)
    .nullish(),
});

/** docs/contract/specification.md, Create a tracking request; docs/contract/reference.md 1.1. */
export const createTrackingRequestDocument = {
  name: "CreateTrackingRequest",
  type: "tracking_request",
  attributes: z.strictObject({
    request_type: z.enum([...requestTypes, "booking"]).describe("`booking` is an alias of `booking_number`."),
    request_number: text(100),
    scac: text(4).nullish().describe("SCAC of the shipping line. Required unless auto_detect_vocc_scac is true."),
    auto_detect_vocc_scac: z
      .boolean()
      .optional()
      .describe(
        "Detect the carrier from the number. scac is null until it is detected; the request fails if none is found.",
      ),
    ref_numbers: refNumbers.nullish().describe("Copied to the shipment and its containers."),
    shipment_tags: tags.nullish().describe("Copied to the shipment."),
    initial_custom_fields: initialCustomFields
      .nullish()
      .describe("Custom fields that the shipment and its containers get when they are created."),
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
    ref_number: text(100)
      .optional()
      .describe("Deprecated: use ref_numbers. Replaces all reference numbers by this one."),
  }),
  readOnly: attributeNames("tracking_request"),
} satisfies WriteDocument;
