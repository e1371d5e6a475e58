import { z } from "zod";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

/** The optional body to stop and resume tracking: only the shipment's identity. */
export const shipmentIdentityDocument = {
  name: "ShipmentIdentity",
  type: "shipment",
  attributes: z.strictObject({}),
  identityOnly: true,
  readOnly: attributeNames("shipment"),
} satisfies WriteDocument;
