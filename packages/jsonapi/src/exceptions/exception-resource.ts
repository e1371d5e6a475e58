import type { Instant } from "@svc/domain";
import type { PlannedVoyage } from "@svc/domain/eta-changes";
import {
  type ChargeSums,
  type Exception,
  exceptionCause,
  exceptionKinds,
  exceptionResolutions,
  exceptionSeverities,
  exceptionStatus,
  exceptionStatuses,
  exceptionSummary,
} from "@svc/domain/exceptions";
import { z } from "zod";
import { dateTime, linkage, moneyAttributes, resourceObject, toOneOrNull } from "../resource.ts";

const money = z.object({ amount: z.number(), currency_code: z.string().nullable() });
const voyage = z
  .object({
    vessel_name: z.string().nullable(),
    vessel_imo: z.string().nullable(),
    voyage_number: z.string().nullable(),
    departure_at: dateTime,
  })
  .nullable();

/** docs/exceptions.md. */
export const ExceptionResource = resourceObject(
  "exception",
  {
    kind: z.enum(exceptionKinds),
    severity: z.enum(exceptionSeverities),
    status: z.enum(exceptionStatuses).describe("resolved, snoozed (until `snoozed_until`) or open."),
    priority: z.number().int().describe("Priority by kind, then by days; a larger number is more urgent."),
    number: z.string().describe("Number of the container, the shipment or the tracking request."),
    shipment_number: z
      .string()
      .nullable()
      .describe("Bill of lading number. Null: the exception is of a tracking request."),
    summary: z.string().describe("Summary of the condition, with its price so far and per day where they are known."),
    cause: z
      .string()
      .nullable()
      .describe("Cause as one sentence of reported facts. Null when `summary` already states it."),
    days: z
      .number()
      .int()
      .nullable()
      .describe(
        "Number of days past or until the last free day, since the pickup, later than first estimated, or waiting.",
      ),
    last_free_day: z.iso.date().nullable().describe("Last free day, in the time zone of the place of pickup."),
    holds: z.array(z.string()).describe("Names of the holds that are in force."),
    amounts: z.array(money).describe("Amounts charged so far, one for each currency."),
    amount_per_day: money
      .nullable()
      .describe("Amount per day by the demurrage rules, or as it follows from the reports. Null: not known."),
    amounts_as_of: z.iso
      .date()
      .nullable()
      .describe("The day on which tracking stopped, since when the amounts are not updated. Null: they are."),
    estimated_arrival_at: dateTime.nullable(),
    previous_voyage: voyage.describe("Former plan of the voyage."),
    next_voyage: voyage.describe("Present plan of the voyage."),
    opened_at: dateTime,
    ended_at: dateTime.nullable().describe("Time at which the condition ended. Null: it still holds."),
    resolved_at: dateTime.nullable(),
    resolution: z
      .enum(exceptionResolutions)
      .nullable()
      .describe(
        "cleared: the condition ended; superseded: the next step of its case took its place, with its owner and note; " +
          "tracking_stopped: tracking of its shipment ended; by_member: by hand.",
      ),
    resolved_by: z
      .string()
      .nullable()
      .describe("E-mail address of the member, or name of the API token, that resolved it. Null: not by hand."),
    owner: z.string().nullable().describe("E-mail address of the member who takes care of it."),
    snoozed_until: dateTime.nullable(),
    note: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {
    shipment: toOneOrNull("shipment"),
    container: toOneOrNull("container"),
    tracking_request: toOneOrNull("tracking_request"),
  },
).meta({ id: "Exception" });

export type ExceptionResource = z.infer<typeof ExceptionResource>;

/** docs/exceptions.md. */
export const ExceptionChargeResource = z
  .object({
    id: z.string().describe("The value, or `none`."),
    type: z.literal("exception_charge"),
    attributes: z.object({
      value: z.string().nullable().describe("Value of the group. Null: exceptions without a value."),
      containers: z
        .number()
        .int()
        .describe("Number of containers, each counted once for each kind, also where several shipments have it."),
      repeated: z.number().int().describe("Containers among them that several tracked shipments have."),
      unpriced: z.number().int().describe("Containers without a known amount so far."),
      outdated: z.number().int().describe("Containers whose amounts are not updated, because tracking stopped."),
      snoozed: z.number().int(),
      resolved: z.number().int().describe("Containers whose exception a member has resolved while they still cost."),
      sums: z
        .array(
          z.object({
            currency_code: z.string().nullable(),
            amount: z.number().describe("Amount charged so far."),
            amount_per_day: z.number().describe("Price of the next day, of those where it is known."),
            rated: z.number().int().describe("Containers whose price of a day is known."),
          }),
        )
        .describe("Sums by currency, the largest first."),
    }),
  })
  .meta({ id: "ExceptionCharge" });

export type ExceptionChargeResource = z.infer<typeof ExceptionChargeResource>;

export const exceptionChargeResource = ({ value, sums, ...counts }: ChargeSums): ExceptionChargeResource => ({
  id: value ?? "none",
  type: "exception_charge",
  attributes: {
    value,
    ...counts,
    sums: sums.map(({ currencyCode, amount, perDay, rated }) => ({
      currency_code: currencyCode,
      amount,
      amount_per_day: perDay,
      rated,
    })),
  },
});

const wireVoyage = (one: PlannedVoyage | null | undefined) =>
  one
    ? {
        vessel_name: one.vesselName,
        vessel_imo: one.vesselImo,
        voyage_number: one.voyageNumber,
        departure_at: one.departureAt,
      }
    : null;

/** `ownerEmail`: of the member whose id the exception has. `now`: on the tracking clock. */
export function exceptionResource(
  exception: Exception,
  { baseUrl, now, ownerEmail }: { readonly baseUrl: string; readonly now: Instant; readonly ownerEmail: string | null },
): ExceptionResource {
  const { id, kind, severity, details } = exception;
  return {
    id,
    type: "exception",
    attributes: {
      kind,
      severity,
      status: exceptionStatus(exception, now),
      priority: exception.priority,
      number: exception.number,
      shipment_number: exception.shipmentNumber,
      summary: exceptionSummary(exception),
      cause: exceptionCause(exception),
      days: details.days ?? null,
      last_free_day: details.lastFreeDay ?? null,
      holds: [...(details.holds ?? [])],
      amounts: (details.amounts ?? []).map(moneyAttributes),
      amount_per_day: details.perDay ? moneyAttributes(details.perDay) : null,
      amounts_as_of: (details.amounts && details.trackingStoppedDate) ?? null,
      estimated_arrival_at: details.estimatedArrivalAt ?? null,
      previous_voyage: wireVoyage(details.previousVoyage),
      next_voyage: wireVoyage(details.nextVoyage),
      opened_at: exception.openedAt,
      ended_at: exception.endedAt,
      resolved_at: exception.resolvedAt,
      resolution: exception.resolution,
      resolved_by: exception.resolvedBy,
      owner: ownerEmail,
      snoozed_until: exception.snoozedUntil,
      note: exception.note,
      created_at: exception.createdAt,
      updated_at: exception.updatedAt,
    },
    relationships: {
      shipment: linkage("shipment", exception.shipmentId),
      container: linkage("container", exception.containerId),
      tracking_request: linkage("tracking_request", exception.trackingRequestId),
    },
    links: { self: `${baseUrl}/exceptions/${id}` },
  };
}
