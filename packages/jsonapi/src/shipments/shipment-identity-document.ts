import { z } from "zod";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

/** What may be sent to stop and resume tracking: the shipment's identity, nothing more. */
export const shipmentIdentityDocument = {
  name: "ShipmentIdentity",
  type: "shipment",
  attributes: z.strictObject({}),
  identityOnly: true,
  readOnly: attributeNames("shipment"),
} satisfies WriteDocument;
