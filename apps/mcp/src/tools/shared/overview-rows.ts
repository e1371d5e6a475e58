import type { ContainerOverviewResource, ShipmentOverviewResource } from "@svc/sdk";
import { z } from "zod";
import { optionalText } from "./fields.ts";

const shared = {
  shipping_line_scac: z.string(),
  ref_numbers: z.array(z.string()).optional(),
  customer: optionalText,
  tags: z.array(z.string()).optional(),
  pol: optionalText,
  pod: optionalText,
  eta_at: optionalText.describe("arrival where the journey ends: estimated"),
  arrived_at: optionalText,
  original_eta_at: optionalText,
  delay_days: z.number().optional(),
  vessel: optionalText,
  voyage: optionalText,
  last_event: optionalText,
  last_event_at: optionalText,
  last_event_locode: optionalText,
  freshness: optionalText.describe("only unless fresh: late, stale, silent or stopped"),
  last_changed_at: optionalText,
};

export const containerRow = z.object({
  container_number: z.string(),
  bill_of_lading_number: z.string(),
  current_status: z.string(),
  ...shared,
  available_for_pickup: z.boolean().optional(),
  holds: z.array(z.string()).optional(),
  fees: optionalText,
  demurrage: optionalText.describe("so far, by the account's own rules"),
  last_free_day: optionalText.describe("local date of the place of pickup"),
  last_free_day_source: optionalText,
  picked_up_at: optionalText,
});

export const shipmentRow = z.object({
  bill_of_lading_number: z.string(),
  status: z.string(),
  ...shared,
  departed_at: optionalText,
  containers_total: z.number(),
  container_numbers: z.array(z.string()).optional(),
  tracking_stopped_reason: optionalText,
});

type Attributes = ContainerOverviewResource["attributes"] | ShipmentOverviewResource["attributes"];

/** Days that are not worth a word: estimates move by hours all the time. */
const worthSaying = (days: number | null) => (days === null || days === 0 ? undefined : days);

function sharedColumns(overview: Attributes) {
  const arrived = overview.destination_ata_at ?? (overview.destination_locode === null ? overview.pod_ata_at : null);
  const podEta = overview.pod_ata_at === null ? overview.pod_eta_at : null;
  const staleness = overview.freshness === null || overview.freshness === "fresh" ? undefined : overview.freshness;
  return {
    shipping_line_scac: overview.shipping_line_scac,
    ref_numbers: overview.ref_numbers,
    customer: overview.customer_name,
    tags: overview.tags,
    pol: overview.pol_locode,
    pod: overview.pod_locode,
    eta_at: arrived === null ? (overview.destination_eta_at ?? podEta) : undefined,
    arrived_at: arrived ?? overview.pod_ata_at,
    original_eta_at: worthSaying(overview.delay_days) === undefined ? undefined : overview.pod_original_eta_at,
    delay_days: worthSaying(overview.delay_days),
    vessel: overview.vessel_name,
    voyage: overview.voyage_number,
    last_event: overview.last_event,
    last_event_at: overview.last_event_at,
    last_event_locode: overview.last_event_locode,
    freshness: overview.freshness === null ? "stopped" : staleness,
    last_changed_at: staleness === undefined ? undefined : overview.last_changed_at,
  };
}

function formatFees(fees: ContainerOverviewResource["attributes"]["fees"]): string | undefined {
  const each = fees.filter(({ type }) => type !== "total");
  const formatted = (each.length > 0 ? each : fees).map(({ type, amount, currency_code: currency }) =>
    [type, amount, currency].filter(Boolean).join(" "),
  );
  return formatted.length > 0 ? formatted.join(", ") : undefined;
}

/** Returns the charges that run or have ended; those in free time and those that wait are in get_container. */
function formatDemurrage(charges: ContainerOverviewResource["attributes"]["demurrage"]): string | undefined {
  const formatted = charges
    .filter(({ amount }) => Number(amount) > 0)
    .map(({ kind, amount, currency_code: currency, amount_per_day: perDay }) =>
      [kind, amount, currency, perDay && `(${perDay} per day)`].filter(Boolean).join(" "),
    );
  return formatted.length > 0 ? formatted.join(", ") : undefined;
}

export function toContainerRow({ attributes }: ContainerOverviewResource) {
  const { holds, full_out_at: pickedUpAt } = attributes;
  return {
    container_number: attributes.container_number,
    bill_of_lading_number: attributes.bill_of_lading_number,
    current_status: attributes.status,
    ...sharedColumns(attributes),
    available_for_pickup: attributes.available_for_pickup,
    holds: holds.map(({ name, status }) => (status === "hold" ? name : `${name} (${status})`)),
    fees: formatFees(attributes.fees),
    demurrage: formatDemurrage(attributes.demurrage),
    last_free_day: attributes.last_free_day,
    last_free_day_source: attributes.last_free_day_source,
    picked_up_at: pickedUpAt,
  };
}

export function toShipmentRow({ attributes }: ShipmentOverviewResource) {
  return {
    bill_of_lading_number: attributes.bill_of_lading_number,
    status: attributes.status,
    ...sharedColumns(attributes),
    departed_at: attributes.pol_atd_at,
    containers_total: attributes.containers_total,
    container_numbers: attributes.container_numbers,
    tracking_stopped_reason: attributes.tracking_stopped_reason,
  };
}
