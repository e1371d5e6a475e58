import { z } from "zod";
import { refNumbers, tags } from "../documents/text.ts";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

/** docs/contract/specification.md, Edit a shipment. Absent attributes are not changed, `[]` clears. */
export const editShipmentDocument = {
  name: "EditShipment",
  type: "shipment",
  attributes: z.strictObject({ ref_numbers: refNumbers.optional(), tags: tags.optional() }),
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
