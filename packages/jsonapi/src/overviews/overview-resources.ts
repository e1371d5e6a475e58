import type { Instant } from "@svc/domain";
import { containerStatuses } from "@svc/domain/containers";
import { type DemurrageCharge, demurrageKinds, demurrageStatuses, tradeDirections } from "@svc/domain/demurrage";
import { shipmentStatuses, stopReasons, unknownArrival } from "@svc/domain/shipments";
import { freshnesses } from "@svc/domain/tracking";
import { z } from "zod";
import { dateTime } from "../resource.ts";

const text = z.string().nullable();
const time = dateTime.nullable();
const containers = z.number().int();

const sharedAttributes = {
  bill_of_lading_number: z.string(),
  shipping_line_scac: z.string(),
  ref_numbers: z.array(z.string()),
  tags: z.array(z.string()),
  customer_name: text,
  pol_locode: text.describe("UN/LOCODE of the port of lading."),
  pol_name: text,
  pol_timezone: text.describe("IANA time zone name"),
  pod_locode: text.describe("UN/LOCODE of the port of discharge."),
  pod_name: text,
  pod_timezone: text.describe("IANA time zone name"),
  destination_locode: text,
  destination_name: text,
  destination_timezone: text.describe("IANA time zone name"),
  vessel_name: text.describe("Vessel of the call at the port of discharge."),
  vessel_imo: text,
  voyage_number: text,
  pol_etd_at: time,
  pol_atd_at: time,
  pod_eta_at: time,
  pod_original_eta_at: time,
  pod_ata_at: time,
  destination_eta_at: time,
  destination_ata_at: time,
  arrival_at: time.describe("Actual or estimated, where the journey ends."),
  delay_days: z.number().int().nullable().describe("Days later than first estimated; negative: earlier."),
  freshness: z
    .enum(freshnesses)
    .nullable()
    .describe("As of GET /shipments/{id}/freshness. Null: tracking has stopped."),
  last_changed_at: time.describe("When the shipping line last reported a change."),
  tracking_stopped_at: time,
  tracking_stopped_reason: z.enum(stopReasons).nullable(),
  last_event: text.describe("Name of the latest milestone."),
  last_event_at: time,
  last_event_locode: text,
  created_at: dateTime,
  updated_at: dateTime,
};

/** One row per container with attributes of its shipment, ports, vessel and customer. Its id is the container's. */
export const ContainerOverviewResource = z
  .object({
    id: z.uuid(),
    type: z.literal("container_overview"),
    attributes: z.object({
      container_number: z.string(),
      shipment_id: z.uuid(),
      status: z.enum(containerStatuses),
      ...sharedAttributes,
      available_for_pickup: z.boolean().nullable(),
      holds: z.array(z.object({ name: z.string(), status: z.string(), description: text })),
      fees: z.array(z.object({ type: z.string(), amount: z.number(), currency_code: text })),
      last_free_day: z.iso
        .date()
        .nullable()
        .describe("Local date at the place of pickup; the earliest of the known ones."),
      last_free_day_timezone: z.string().describe("IANA time zone of the place of pickup; UTC when it is not known."),
      last_free_day_source: z.enum(["terminal", "line", "rail"]).nullable().describe("The source of that date."),
      demurrage: z
        .array(
          z.object({
            kind: z.enum(demurrageKinds),
            direction: z.enum(tradeDirections),
            status: z.enum(demurrageStatuses),
            last_free_day: z.iso.date().nullable().describe("By the rule."),
            amount: z.string().describe("So far, as decimal text."),
            currency_code: z.string(),
            amount_per_day: text.describe("Of the next day that is charged. Null: no day follows."),
          }),
        )
        .describe("By the demurrage rules of the account, as of GET /containers/{id}/demurrage."),
      pickup_appointment_at: time,
      equipment: text.describe("For example `40 dry high_cube`."),
      discharged_at: time,
      full_out_at: time,
      empty_returned_at: time,
    }),
  })
  .meta({ id: "ContainerOverview" });

/** One row per shipment. Its id is the shipment's. */
export const ShipmentOverviewResource = z
  .object({
    id: z.uuid(),
    type: z.literal("shipment_overview"),
    attributes: z.object({
      status: z.enum(shipmentStatuses),
      ...sharedAttributes,
      containers_total: containers,
      container_numbers: z.array(z.string()).max(10).describe("The first ten."),
      containers_available: containers.describe("Available for pickup, and not picked up yet."),
      containers_on_hold: containers.describe("With an active hold, and not picked up yet."),
      containers_on_rail: containers,
      containers_picked_up: containers,
      containers_returned: containers,
      last_free_day: z.iso
        .date()
        .nullable()
        .describe("The earliest of the containers that are not picked up, as a local date at the place of pickup."),
    }),
  })
  .meta({ id: "ShipmentOverview" });

export const OverviewCountResource = z
  .object({
    id: z.string().describe("The value, or `none`."),
    type: z.literal("overview_count"),
    attributes: z.object({
      value: text.describe("Null: containers without the value."),
      count: z.number().int(),
    }),
  })
  .meta({ id: "OverviewCount" });

export type ContainerOverviewResource = z.infer<typeof ContainerOverviewResource>;
export type ShipmentOverviewResource = z.infer<typeof ShipmentOverviewResource>;
export type OverviewCountResource = z.infer<typeof OverviewCountResource>;

type SharedAttributes = z.infer<z.ZodObject<typeof sharedAttributes>>;

interface Overview {
  readonly id: string;
  readonly billOfLadingNumber: string;
  readonly shippingLineScac: string;
  readonly refNumbers: readonly string[];
  readonly tags: readonly string[];
  readonly customerName: string | null;
  readonly polLocode: string | null;
  readonly polName: string | null;
  readonly polTimezone: string | null;
  readonly podLocode: string | null;
  readonly podName: string | null;
  readonly podTimezone: string | null;
  readonly destinationLocode: string | null;
  readonly destinationName: string | null;
  readonly destinationTimezone: string | null;
  readonly vesselName: string | null;
  readonly vesselImo: string | null;
  readonly voyageNumber: string | null;
  readonly polEtdAt: Instant | null;
  readonly polAtdAt: Instant | null;
  readonly podEtaAt: Instant | null;
  readonly podOriginalEtaAt: Instant | null;
  readonly podAtaAt: Instant | null;
  readonly destinationEtaAt: Instant | null;
  readonly destinationAtaAt: Instant | null;
  readonly arrivalAt: Instant;
  readonly delayDays: number | null;
  readonly freshness: SharedAttributes["freshness"];
  readonly lastChangedAt: Instant | null;
  readonly lineTrackingStoppedAt: Instant | null;
  readonly lineTrackingStoppedReason: string | null;
  readonly lastEvent: string | null;
  readonly lastEventAt: Instant | null;
  readonly lastEventLocode: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

interface ContainerFacts extends Overview {
  readonly number: string;
  readonly shipmentId: string;
  readonly status: string;
  readonly availableForPickup: boolean | null;
  readonly holds: readonly { readonly name: string; readonly status: string; readonly description: string | null }[];
  readonly fees: readonly { readonly type: string; readonly amount: number; readonly currencyCode: string | null }[];
  readonly lastFreeDay: string | null;
  readonly lastFreeDayTimezone: string;
  readonly lastFreeDaySource: ContainerOverviewResource["attributes"]["last_free_day_source"];
  readonly charges: readonly Omit<DemurrageCharge, "days">[] | null;
  readonly pickupAppointmentAt: Instant | null;
  readonly equipment: string;
  readonly podDischargedAt: Instant | null;
  readonly fullOutAt: Instant | null;
  readonly emptyTerminatedAt: Instant | null;
}

interface ShipmentFacts extends Overview {
  readonly status: string;
  readonly containersTotal: number;
  readonly containerNumbers: readonly string[];
  readonly containersAvailable: number;
  readonly containersOnHold: number;
  readonly containersOnRail: number;
  readonly containersPickedUp: number;
  readonly containersReturned: number;
  readonly lastFreeDay: string | null;
}

function sharedOf(row: Overview): SharedAttributes {
  return {
    bill_of_lading_number: row.billOfLadingNumber,
    shipping_line_scac: row.shippingLineScac,
    ref_numbers: [...row.refNumbers],
    tags: [...row.tags],
    customer_name: row.customerName,
    pol_locode: row.polLocode,
    pol_name: row.polName,
    pol_timezone: row.polTimezone,
    pod_locode: row.podLocode,
    pod_name: row.podName,
    pod_timezone: row.podTimezone,
    destination_locode: row.destinationLocode,
    destination_name: row.destinationName,
    destination_timezone: row.destinationTimezone,
    vessel_name: row.vesselName,
    vessel_imo: row.vesselImo,
    voyage_number: row.voyageNumber,
    pol_etd_at: row.polEtdAt,
    pol_atd_at: row.polAtdAt,
    pod_eta_at: row.podEtaAt,
    pod_original_eta_at: row.podOriginalEtaAt,
    pod_ata_at: row.podAtaAt,
    destination_eta_at: row.destinationEtaAt,
    destination_ata_at: row.destinationAtaAt,
    arrival_at: row.arrivalAt === unknownArrival ? null : row.arrivalAt,
    delay_days: row.delayDays,
    freshness: row.freshness,
    last_changed_at: row.lastChangedAt,
    tracking_stopped_at: row.lineTrackingStoppedAt,
    tracking_stopped_reason: row.lineTrackingStoppedReason as SharedAttributes["tracking_stopped_reason"],
    last_event: row.lastEvent,
    last_event_at: row.lastEventAt,
    last_event_locode: row.lastEventLocode,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export function containerOverviewResource(row: ContainerFacts): ContainerOverviewResource {
  return {
    id: row.id,
    type: "container_overview",
    attributes: {
      container_number: row.number,
      shipment_id: row.shipmentId,
      status: row.status as ContainerOverviewResource["attributes"]["status"],
      ...sharedOf(row),
      available_for_pickup: row.availableForPickup,
      holds: row.holds.map(({ name, status, description }) => ({ name, status, description })),
      fees: row.fees.map(({ type, amount, currencyCode }) => ({ type, amount, currency_code: currencyCode })),
      last_free_day: row.lastFreeDay,
      last_free_day_timezone: row.lastFreeDayTimezone,
      last_free_day_source: row.lastFreeDaySource,
      demurrage: (row.charges ?? []).map((one) => ({
        kind: one.kind,
        direction: one.direction,
        status: one.status,
        last_free_day: one.lastFreeDay,
        amount: one.amount,
        currency_code: one.currencyCode,
        amount_per_day: one.amountPerDay,
      })),
      pickup_appointment_at: row.pickupAppointmentAt,
      equipment: row.equipment === "" ? null : row.equipment,
      discharged_at: row.podDischargedAt,
      full_out_at: row.fullOutAt,
      empty_returned_at: row.emptyTerminatedAt,
    },
  };
}

export function shipmentOverviewResource(row: ShipmentFacts): ShipmentOverviewResource {
  return {
    id: row.id,
    type: "shipment_overview",
    attributes: {
      status: row.status as ShipmentOverviewResource["attributes"]["status"],
      ...sharedOf(row),
      containers_total: row.containersTotal,
      container_numbers: [...row.containerNumbers],
      containers_available: row.containersAvailable,
      containers_on_hold: row.containersOnHold,
      containers_on_rail: row.containersOnRail,
      containers_picked_up: row.containersPickedUp,
      containers_returned: row.containersReturned,
      last_free_day: row.lastFreeDay,
    },
  };
}

export function overviewCountResource({
  value,
  count,
}: {
  readonly value: string | null;
  readonly count: number;
}): OverviewCountResource {
  return { id: value ?? "none", type: "overview_count", attributes: { value, count } };
}
