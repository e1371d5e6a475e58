import {
  countingStarts,
  type DemurrageRule,
  dayCalendars,
  demurrageKinds,
  tradeDirections,
} from "@svc/domain/demurrage";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

/** docs/demurrage.md. */
export const DemurrageRuleResource = resourceObject(
  "demurrage_rule",
  {
    name: z.string(),
    kind: z.enum(demurrageKinds).describe("demurrage: in the terminal; detention and per_diem: outside it."),
    direction: z.enum(tradeDirections),
    carrier_scac: z.string().nullable().describe("SCAC of the shipping line. Null: every line."),
    port_locode: z
      .string()
      .nullable()
      .describe("UN/LOCODE of the port of discharge (import) or of lading (export). Null: every port."),
    terminal_code: z.string().nullable().describe("FIRMS or SMDG code of a terminal in the port. Null: every one."),
    equipment_types: z.array(z.string()).describe("Empty: every type."),
    equipment_lengths: z.array(z.number().int()).describe("In feet; empty: every length."),
    valid_from: z.iso.date().nullable().describe("The first day on which counting may start. Null: any."),
    valid_until: z.iso.date().nullable().describe("The last day on which counting may start. Null: any."),
    counting_start: z.enum(countingStarts).describe("The event that starts the counting of days."),
    start_offset_days: z.number().int().describe("Days after the start at which the first day is counted."),
    free_days: z.number().int(),
    free_day_calendar: z.enum(dayCalendars).describe("Which days count as free days."),
    charged_day_calendar: z.enum(dayCalendars).describe("Which days after them are charged."),
    weekend_days: z.array(z.number().int().min(1).max(7)).describe("Days that are no working days: 1 is Monday."),
    holidays: z.array(z.iso.date()).describe("Dates that are no working days."),
    currency_code: z.string().describe("ISO 4217."),
    tiers: z
      .array(z.object({ from_day: z.number().int(), amount_per_day: z.string() }))
      .describe("From the n-th charged day on, a day costs so much, as decimal text."),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "DemurrageRule" });

export type DemurrageRuleResource = z.infer<typeof DemurrageRuleResource>;

export function demurrageRuleResource(rule: DemurrageRule, baseUrl: string): DemurrageRuleResource {
  return {
    id: rule.id,
    type: "demurrage_rule",
    attributes: {
      name: rule.name,
      kind: rule.kind,
      direction: rule.direction,
      carrier_scac: rule.carrierScac,
      port_locode: rule.portLocode,
      terminal_code: rule.terminalCode,
      equipment_types: [...rule.equipmentTypes],
      equipment_lengths: [...rule.equipmentLengths],
      valid_from: rule.validFrom,
      valid_until: rule.validUntil,
      counting_start: rule.countingStart,
      start_offset_days: rule.startOffsetDays,
      free_days: rule.freeDays,
      free_day_calendar: rule.freeDayCalendar,
      charged_day_calendar: rule.chargedDayCalendar,
      weekend_days: [...rule.weekendDays],
      holidays: [...rule.holidays],
      currency_code: rule.currencyCode,
      tiers: rule.tiers.map(({ fromDay, amountPerDay }) => ({ from_day: fromDay, amount_per_day: amountPerDay })),
      created_at: rule.createdAt,
      updated_at: rule.updatedAt,
    },
    links: { self: `${baseUrl}/demurrage_rules/${rule.id}` },
  };
}
