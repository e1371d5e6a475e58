import type { AccountChange } from "@svc/domain/history";
import { z } from "zod";
import { FieldChangeResource, fieldChangeResource } from "./field-change-resource.ts";

/** A changed attribute with its record. */
export const AccountChangeResource = z
  .object({
    id: z.uuid(),
    type: z.literal("account_change"),
    attributes: FieldChangeResource.shape.attributes.extend({
      record_type: z.enum(["shipment", "container"]),
      record_id: z.uuid(),
      number: z.string().describe("Container number, or bill of lading number of the shipment."),
      shipment_id: z.uuid().describe("The shipment itself, or that of the container."),
    }),
  })
  .meta({ id: "AccountChange" });

export type AccountChangeResource = z.infer<typeof AccountChangeResource>;

export function accountChangeResource(change: AccountChange): AccountChangeResource {
  const { recordType, recordId, number, shipmentId } = change;
  return {
    id: change.id,
    type: "account_change",
    attributes: {
      record_type: recordType,
      record_id: recordId,
      number,
      shipment_id: shipmentId,
      ...fieldChangeResource(change).attributes,
    },
  };
}
