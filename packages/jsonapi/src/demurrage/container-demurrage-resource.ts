import { type Instant, localDateOrUtc } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import {
  countingEnds,
  countingStarts,
  type DemurrageCharge,
  demurrageKinds,
  demurrageStatuses,
  describeDemurrage,
  freeReasons,
  sumAmounts,
  tradeDirections,
} from "@svc/domain/demurrage";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne } from "../resource.ts";

const day = z.iso.date();

const chargedAmount = z.object({ amount: z.string(), currency_code: z.string() });

const charge = z.object({
  kind: z.enum(demurrageKinds),
  direction: z.enum(tradeDirections),
  status: z
    .enum(demurrageStatuses)
    .describe(
      "waiting: the start was not reported. free: nothing is charged yet. charged: the amount grows. ended: the end was " +
        "reported. stopped: tracking stopped before the end.",
    ),
  rule_id: z.uuid(),
  rule_name: z.string(),
  counting_start: z.enum(countingStarts),
  started_at: dateTime.nullable(),
  start_day: day.nullable().describe("The first day that is counted, in the time zone of the port."),
  counting_end: z.enum(countingEnds),
  ended_at: dateTime.nullable(),
  time_zone: z.string().describe("IANA time zone name of the days."),
  free_days: z.number().int(),
  free_days_used: z.number().int(),
  last_free_day: day.nullable().describe("Last free day by the rule."),
  charged_days: z.number().int(),
  amount: z.string().describe("Amount charged so far, as decimal text."),
  currency_code: z.string(),
  amount_per_day: z
    .string()
    .nullable()
    .describe("Amount for the next day that is charged, as decimal text. Null: no day follows."),
  explanation: z.string().describe("Explanation of the amount."),
  days: z
    .array(
      z.object({
        date: day,
        free: z.enum(freeReasons).nullable().describe("Reason why nothing is charged. Null: the day is charged."),
        number: z.number().int().nullable().describe("The n-th free or charged day. Null: it does not count."),
        amount: z.string(),
      }),
    )
    .describe("Days from the start to the end, or to today."),
});

/** docs/demurrage.md. Its id is that of the container. */
export const ContainerDemurrageResource = resourceObject(
  "container_demurrage",
  {
    container_number: z.string(),
    amounts: z.array(chargedAmount).describe("Sums of all charges so far, one for each currency."),
    charges: z.array(charge).describe("Charges, one for each kind and direction that a rule applies to."),
    last_free_day_terminal: day.nullable().describe("Last free day that the terminal reports."),
    last_free_day_line: day.nullable().describe("Last free day that the shipping line reports."),
    last_free_day_rail: day.nullable().describe("Last free day that the rail carrier reports."),
  },
  { container: toOne("container"), shipment: toOne("shipment") },
).meta({ id: "ContainerDemurrage" });

export type ContainerDemurrageResource = z.infer<typeof ContainerDemurrageResource>;

/** Last free days are kept as the midnight of their day at the place. */
const dayOf = (at: string | null, timeZone: string | null): string | null =>
  at === null ? null : localDateOrUtc(at as Instant, timeZone);

export function containerDemurrageResource(
  container: Container,
  charges: readonly DemurrageCharge[],
  baseUrl: string,
): ContainerDemurrageResource {
  const leftByRail = container.podFullOutAt === null && container.podRailLoadedAt !== null;
  return {
    id: container.id,
    type: "container_demurrage",
    attributes: {
      container_number: container.number,
      amounts: sumAmounts(charges).map(({ amount, currencyCode }) => ({ amount, currency_code: currencyCode })),
      charges: charges.map((one) => ({
        kind: one.kind,
        direction: one.direction,
        status: one.status,
        rule_id: one.ruleId,
        rule_name: one.ruleName,
        counting_start: one.countingStart,
        started_at: one.startedAt,
        start_day: one.startDay,
        counting_end: one.countingEnd,
        ended_at: one.endedAt,
        time_zone: one.timeZone,
        free_days: one.freeDays,
        free_days_used: one.freeDaysUsed,
        last_free_day: one.lastFreeDay,
        charged_days: one.chargedDays,
        amount: one.amount,
        currency_code: one.currencyCode,
        amount_per_day: one.amountPerDay,
        explanation: describeDemurrage(one, leftByRail),
        days: [...one.days],
      })),
      last_free_day_terminal: dayOf(container.pickupLfdTerminal, container.podTimezone),
      last_free_day_line: dayOf(container.pickupLfdLine, container.podTimezone),
      last_free_day_rail: dayOf(container.pickupLfdRail, container.finalDestinationTimezone),
    },
    relationships: {
      container: linkage("container", container.id),
      shipment: linkage("shipment", container.shipmentId),
    },
    links: { self: `${baseUrl}/containers/${container.id}/demurrage` },
  };
}
