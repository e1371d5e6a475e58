import type { OverviewFilters } from "@svc/sdk";
import { z } from "zod";
import { locode, page, pageSize, scac, timestamp } from "./fields.ts";

const shortText = z.string().trim().min(1).max(100);
const days = z.int().min(0).max(3650);

const groupings = ["status", "port", "customer", "carrier", "vessel", "tag", "arrival_week"] as const;

/** Arguments that both lists take; of a shipment, what only containers have must hold for one of its containers. */
export const overviewArguments = {
  port: locode.describe("UN/LOCODE of any call, transshipments too").optional(),
  transshipment_port: locode.describe("UN/LOCODE").optional(),
  carrier: scac.optional(),
  customer: shortText.describe("part of the name").optional(),
  tag: shortText.optional(),
  reference: shortText.optional(),
  vessel: shortText.describe("part of the name, or IMO; earlier legs too").optional(),
  arrival_after: timestamp.optional(),
  arrival_before: timestamp.optional(),
  delayed_by_days: days.describe("minimum delay").optional(),
  stale: z.boolean().describe("the carrier does not respond or reports nothing new").optional(),
  tracking_stopped: z.boolean().optional(),
  updated_after: timestamp.optional(),
  has_holds: z.boolean().optional(),
  has_fees: z.boolean().optional(),
  available: z.boolean().describe("for pickup").optional(),
  last_free_day_before: z.iso.date().describe("local date; not picked up").optional(),
  not_returned_for_days: days.describe("minimum days since full pickup").optional(),
  equipment: shortText.describe("e.g. 40 reefer").optional(),
  summary: z.enum(groupings).describe("counts instead of rows").optional(),
  page,
  page_size: pageSize,
};

type Arguments = z.output<z.ZodObject<typeof overviewArguments>> & { readonly status?: readonly string[] | undefined };

/** The filters of the API for the arguments; `shipment`: an id. */
export function overviewFilters(input: Arguments, shipment?: string): OverviewFilters {
  return {
    status: input.status,
    port: input.port,
    transshipmentPort: input.transshipment_port,
    carrier: input.carrier,
    customer: input.customer && [input.customer],
    tag: input.tag && [input.tag],
    refNumber: input.reference && [input.reference],
    vessel: input.vessel && [input.vessel],
    arrivalAfter: input.arrival_after,
    arrivalBefore: input.arrival_before,
    delayedByDays: input.delayed_by_days,
    stale: input.stale,
    trackingStopped: input.tracking_stopped,
    updatedAfter: input.updated_after,
    hasHolds: input.has_holds,
    hasFees: input.has_fees,
    availableForPickup: input.available,
    lastFreeDayBefore: input.last_free_day_before,
    notReturnedForDays: input.not_returned_for_days,
    equipment: input.equipment?.split(/\s+/),
    shipment,
  };
}

/** Names that the API and clients of the reference service use for the same. */
export const overviewAliases = {
  pod_locode: "port",
  port_locode: "port",
  shipping_line: "carrier",
  scac: "carrier",
  customer_name: "customer",
  ref_number: "reference",
  vessel_name: "vessel",
  eta_after: "arrival_after",
  eta_before: "arrival_before",
  available_for_pickup: "available",
  last_free_day: "last_free_day_before",
  pickup_lfd_before: "last_free_day_before",
  holds: "has_holds",
  fees: "has_fees",
  group_by: "summary",
  limit: "page_size",
  per_page: "page_size",
};
