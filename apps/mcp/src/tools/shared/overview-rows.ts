import type { ContainerOverviewResource, ShipmentOverviewResource } from "@svc/sdk";
import { z } from "zod";

const text = z.string().optional();

const shared = {
  shipping_line_scac: z.string(),
  ref_numbers: z.array(z.string()).optional(),
  customer: text,
  tags: z.array(z.string()).optional(),
  pol: text,
  pod: text,
  eta_at: text.describe("arrival where the journey ends: estimated"),
  arrived_at: text,
  original_eta_at: text,
  delay_days: z.number().optional(),
  vessel: text,
  voyage: text,
  last_event: text,
  last_event_at: text,
  last_event_locode: text,
  freshness: text.describe("only unless fresh: late, stale, silent or stopped"),
  last_changed_at: text,
};

export const containerRow = z.object({
  container_number: z.string(),
  bill_of_lading_number: z.string(),
  current_status: z.string(),
  ...shared,
  available_for_pickup: z.boolean().optional(),
  holds: z.array(z.string()).optional(),
  fees: text,
  demurrage: text.describe("so far, by the account's own rules"),
  last_free_day: text.describe("local date of the place of pickup"),
  last_free_day_source: text,
  picked_up_at: text,
});

export const shipmentRow = z.object({
  bill_of_lading_number: z.string(),
  status: z.string(),
  ...shared,
  departed_at: text,
  containers_total: z.number(),
  container_numbers: z.array(z.string()).optional(),
  tracking_stopped_reason: text,
});

type Attributes = ContainerOverviewResource["attributes"] | ShipmentOverviewResource["attributes"];

/** Days that are not worth a word: estimates move by hours all the time. */
const worthSaying = (days: number | null) => (days === null || days === 0 ? undefined : days);

function sharedOf(of: Attributes) {
  const arrived = of.destination_ata_at ?? (of.destination_locode === null ? of.pod_ata_at : null);
  const isStale = of.freshness !== null && of.freshness !== "fresh";
  return {
    shipping_line_scac: of.shipping_line_scac,
    ref_numbers: of.ref_numbers,
    customer: of.customer_name,
    tags: of.tags,
    pol: of.pol_locode,
    pod: of.pod_locode,
    eta_at: arrived === null ? (of.destination_eta_at ?? of.pod_ata_at ?? of.pod_eta_at) : undefined,
    arrived_at: arrived ?? of.pod_ata_at,
    original_eta_at: worthSaying(of.delay_days) === undefined ? undefined : of.pod_original_eta_at,
    delay_days: worthSaying(of.delay_days),
    vessel: of.vessel_name,
    voyage: of.voyage_number,
    last_event: of.last_event,
    last_event_at: of.last_event_at,
    last_event_locode: of.last_event_locode,
    freshness: of.freshness === null ? "stopped" : isStale ? of.freshness : undefined,
    last_changed_at: isStale ? of.last_changed_at : undefined,
  };
}

function feesOf(fees: ContainerOverviewResource["attributes"]["fees"]): string | undefined {
  const each = fees.filter(({ type }) => type !== "total");
  const shown = (each.length > 0 ? each : fees).map(({ type, amount, currency_code: currency }) =>
    [type, amount, currency].filter(Boolean).join(" "),
  );
  return shown.length > 0 ? shown.join(", ") : undefined;
}

/** Returns the charges that run or have ended; those in free time and those that wait are in get_container. */
function demurrageOf(charges: ContainerOverviewResource["attributes"]["demurrage"]): string | undefined {
  const shown = charges
    .filter(({ amount }) => Number(amount) > 0)
    .map(({ kind, amount, currency_code: currency, amount_per_day: perDay }) =>
      [kind, amount, currency, perDay && `(${perDay} per day)`].filter(Boolean).join(" "),
    );
  return shown.length > 0 ? shown.join(", ") : undefined;
}

export function containerRowOf({ attributes }: ContainerOverviewResource) {
  const { holds, full_out_at: pickedUpAt } = attributes;
  return {
    container_number: attributes.container_number,
    bill_of_lading_number: attributes.bill_of_lading_number,
    current_status: attributes.status,
    ...sharedOf(attributes),
    available_for_pickup: attributes.available_for_pickup,
    holds: holds.map(({ name, status }) => (status === "hold" ? name : `${name} (${status})`)),
    fees: feesOf(attributes.fees),
    demurrage: demurrageOf(attributes.demurrage),
    last_free_day: attributes.last_free_day,
    last_free_day_source: attributes.last_free_day_source,
    picked_up_at: pickedUpAt,
  };
}

export function shipmentRowOf({ attributes }: ShipmentOverviewResource) {
  return {
    bill_of_lading_number: attributes.bill_of_lading_number,
    status: attributes.status,
    ...sharedOf(attributes),
    departed_at: attributes.pol_atd_at,
    containers_total: attributes.containers_total,
    container_numbers: attributes.container_numbers,
    tracking_stopped_reason: attributes.tracking_stopped_reason,
  };
}
