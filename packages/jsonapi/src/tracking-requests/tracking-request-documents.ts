import { requestTypes } from "@svc/domain";
import { z } from "zod";
import { refNumbers, tags, text } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { toOneOrNull } from "../resource.ts";
import { attributeNames } from "../resource-graph.ts";

/** interface-specification.md, Create a tracking request; reference-contract.md 1.1. */
export const createTrackingRequestDocument = {
  name: "CreateTrackingRequest",
  type: "tracking_request",
  attributes: z.strictObject({
    request_type: z.enum(requestTypes),
    request_number: text(100),
    scac: text(4).nullish().describe("Of the shipping line; needed unless auto_detect_vocc_scac is true."),
    auto_detect_vocc_scac: z.boolean().optional().describe("Tell the shipping line from the number."),
    ref_numbers: refNumbers.optional().describe("Copied to the shipment and its containers."),
    shipment_tags: tags.optional().describe("Copied to the shipment."),
  }),
  relationships: z.strictObject({ customer: toOneOrNull("party").optional() }),
  readOnly: attributeNames("tracking_request"),
} satisfies WriteDocument;

/** reference-contract.md 1.1: only the reference numbers can be changed, and only of the request itself. */
export const editTrackingRequestDocument = {
  name: "EditTrackingRequest",
  type: "tracking_request",
  attributes: z.strictObject({ ref_numbers: refNumbers.optional() }),
  readOnly: attributeNames("tracking_request"),
} satisfies WriteDocument;
