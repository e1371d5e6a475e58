import { demurrageKinds, demurrageStatuses, tradeDirections } from "@svc/domain/demurrage";
import { containerCost, delayReasonText } from "@svc/domain/exceptions";
import {
  type ContainerOverview,
  containerOverviewFields,
  type ShipmentOverview,
  shipmentOverviewFields,
} from "@svc/domain/overviews";
import { stopReasons, unknownArrival } from "@svc/domain/shipments";
import { z } from "zod";
import { CustomFieldResource } from "../custom-fields/custom-field-resources.ts";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { dateTime, moneyAttributes } from "../resource.ts";

const text = z.string().nullable();
const time = dateTime.nullable();

type Shared = Pick<ContainerOverview, "arrivalAt" | "lineTrackingStoppedAt" | "lineTrackingStoppedReason">;

const arrivalAt = (description: string) => ({
  arrival_at: attribute(time.describe(description), (row: Shared) =>
    row.arrivalAt === unknownArrival ? null : row.arrivalAt,
  ),
});
const arrivalDescription = "Actual or estimated arrival where the journey ends.";

const shared = {
  id: omitted,
  arrivalAt: arrivalAt(arrivalDescription),
  lineTrackingStoppedAt: { tracking_stopped_at: attribute(time, (row: Shared) => row.lineTrackingStoppedAt) },
  lineTrackingStoppedReason: {
    tracking_stopped_reason: attribute(
      z.enum(stopReasons).nullable(),
      ({ lineTrackingStoppedReason }: Shared) => lineTrackingStoppedReason,
    ),
  },
};

const charge = z.object({
  kind: z.enum(demurrageKinds),
  direction: z.enum(tradeDirections),
  status: z.enum(demurrageStatuses),
  last_free_day: z.iso.date().nullable().describe("Last free day by the rule."),
  amount: z.string().describe("Amount charged so far, as decimal text."),
  currency_code: z.string(),
  amount_per_day: text.describe("Amount for the next day that is charged, as decimal text. Null: no day follows."),
});

const money = z.object({ amount: z.number(), currency_code: text });
type Charged = Pick<ContainerOverview, "fees" | "charges" | "chargedExceptions">;
const costOf = ({ fees, charges, chargedExceptions }: Charged) =>
  containerCost({ fees, charges: charges ?? [], charged: chargedExceptions ?? [] });

const containerAttributes = wireAttributes(containerOverviewFields, {
  ...shared,
  number: { container_number: attribute(z.string(), ({ number }) => number) },
  holds: {
    holds: attribute(z.array(z.object({ name: z.string(), status: z.string(), description: text })), ({ holds }) =>
      holds.map(({ name, status, description }) => ({ name, status, description })),
    ),
  },
  fees: {
    fees: attribute(z.array(z.object({ type: z.string(), amount: z.number(), currency_code: text })), ({ fees }) =>
      fees.map(({ type, amount, currencyCode }) => ({ type, amount, currency_code: currencyCode })),
    ),
  },
  charges: {
    demurrage: attribute(
      z.array(charge).describe("Charges by the demurrage rules of the account, as in GET /containers/{id}/demurrage."),
      ({ charges }) =>
        (charges ?? []).map((one) => ({
          kind: one.kind,
          direction: one.direction,
          status: one.status,
          last_free_day: one.lastFreeDay,
          amount: one.amount,
          currency_code: one.currencyCode,
          amount_per_day: one.amountPerDay,
        })),
    ),
  },
  chargedExceptions: {
    cost_so_far: attribute(
      z
        .array(money)
        .describe(
          "Demurrage, fees and detention charged so far, also after the pickup and the return: what the terminal " +
            "reports, otherwise by the demurrage rules. One sum for each currency.",
        ),
      (row: Charged) => costOf(row).soFar.map(moneyAttributes),
    ),
    cost_per_day: attribute(
      money
        .nullable()
        .describe(
          "Price of the next day that is charged, from 3 days before the last free day. Null: not known, or nothing is charged by time.",
        ),
      (row: Charged) => {
        const { perDay } = costOf(row);
        return perDay && moneyAttributes(perDay);
      },
    ),
  },
  equipment: {
    equipment: attribute(
      text.describe("Equipment, for example `40 dry high_cube`."),
      ({ equipment }) => equipment || null,
    ),
  },
  podDischargedAt: { discharged_at: attribute(time, ({ podDischargedAt }) => podDischargedAt) },
  emptyTerminatedAt: { empty_returned_at: attribute(time, ({ emptyTerminatedAt }) => emptyTerminatedAt) },
  delayException: {
    delay_reason: attribute(
      text.describe(
        "Reason for the delay, in sentences made of reported facts. Null: no reason is known, or it has arrived.",
      ),
      ({ delayException }) => delayException && delayReasonText(delayException),
    ),
  },
});

const shipmentAttributes = wireAttributes(shipmentOverviewFields, {
  ...shared,
  arrivalAt: arrivalAt(
    `${arrivalDescription} Lists are filtered and sorted by it. If the containers arrive separately, it is that of the ` +
      "first container as soon as one has arrived.",
  ),
});

/** Values of the custom fields of a row, which the request names. */
const customFields = z
  .array(CustomFieldResource.shape.attributes)
  .optional()
  .describe(
    "Values of the custom fields that the parameter `custom_fields` names; a field without a value is left out. Absent " +
      "without the parameter.",
  );
export type OverviewCustomField = CustomFieldResource["attributes"];

/** One row per container with attributes of its shipment, ports, vessel and customer. Its id is the container's. */
export const ContainerOverviewResource = z
  .object({
    id: z.uuid(),
    type: z.literal("container_overview"),
    attributes: z.object({ ...containerAttributes.shape, custom_fields: customFields }),
  })
  .meta({ id: "ContainerOverview" });

/** One row per shipment. Its id is the shipment's. */
export const ShipmentOverviewResource = z
  .object({
    id: z.uuid(),
    type: z.literal("shipment_overview"),
    attributes: z.object({ ...shipmentAttributes.shape, custom_fields: customFields }),
  })
  .meta({ id: "ShipmentOverview" });

export const OverviewCountResource = z
  .object({
    id: z.string().describe("The value, or `none`."),
    type: z.literal("overview_count"),
    attributes: z.object({
      value: text.describe("Value of the group. Null: containers without a value."),
      count: z.number().int(),
    }),
  })
  .meta({ id: "OverviewCount" });

export type ContainerOverviewResource = z.infer<typeof ContainerOverviewResource>;
export type ShipmentOverviewResource = z.infer<typeof ShipmentOverviewResource>;
export type OverviewCountResource = z.infer<typeof OverviewCountResource>;

export const containerOverviewResource = (row: ContainerOverview): ContainerOverviewResource => ({
  id: row.id,
  type: "container_overview",
  attributes: containerAttributes.of(row),
});

export const shipmentOverviewResource = (row: ShipmentOverview): ShipmentOverviewResource => ({
  id: row.id,
  type: "shipment_overview",
  attributes: shipmentAttributes.of(row),
});

export function overviewCountResource({
  value,
  count,
}: {
  readonly value: string | null;
  readonly count: number;
}): OverviewCountResource {
  return { id: value ?? "none", type: "overview_count", attributes: { value, count } };
}
