import { z } from "zod";
import { multilineText, refNumbers, tags } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { toOneOrNull } from "../resource.ts";
import { attributeNames } from "../resource-graph.ts";

/**
 * docs/contract/specification.md, Edit a shipment. Absent members are not changed, `[]` clears a list and null the note
 * or the customer.
 */
export const editShipmentDocument = {
  name: "EditShipment",
  type: "shipment",
  attributes: z.strictObject({
    ref_numbers: refNumbers.optional(),
    tags: tags.optional(),
    note: multilineText(2_000).nullable().optional().describe("Note, which may have several lines. Null removes it."),
  }),
  relationships: z.strictObject({ customer: toOneOrNull("party").optional() }),
  readOnly: attributeNames("shipment"),
} satisfies WriteDocument;

/** The optional body to stop and resume tracking: only the shipment's identity. */
export const shipmentIdentityDocument = {
  name: "ShipmentIdentity",
  type: "shipment",
  attributes: z.strictObject({}),
  identityOnly: true,
  readOnly: attributeNames("shipment"),
} satisfies WriteDocument;
