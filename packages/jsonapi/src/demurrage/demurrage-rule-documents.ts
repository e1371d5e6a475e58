import {
  countingStarts,
  type DemurrageSettings,
  dayCalendars,
  demurrageKinds,
  tradeDirections,
} from "@svc/domain/demurrage";
import { locodeShape } from "@svc/domain/identifiers";
import { z } from "zod";
import { text, writtenDate } from "../documents/text.ts";
import type { WriteDocument, WrittenShape } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

const weekday = z.int().min(1).max(7);

const settings = {
  name: text(100).describe("Name, shown with the charges, for example the number of the contract."),
  carrier_scac: z
    .string()
    .regex(/^[A-Z]{2,4}$/, "must be two to four capital letters")
    .nullable()
    .optional()
    .describe("SCAC of the shipping line. Null or absent: every line."),
  port_locode: z
    .string()
    .regex(locodeShape, "must be a UN/LOCODE such as USLAX")
    .nullable()
    .optional()
    .describe("UN/LOCODE of the port of discharge (import) or of lading (export). Null or absent: every port."),
  terminal_code: text(20)
    .nullable()
    .optional()
    .describe("FIRMS or SMDG code of a terminal in that port; imports only. Null or absent: every terminal."),
  equipment_types: z
    .array(text(20))
    .max(10)
    .optional()
    .describe("Equipment types: dry, reefer, open top, flat rack, bulk, tank. Empty: all."),
  equipment_lengths: z
    .array(z.int().min(10).max(60))
    .max(10)
    .optional()
    .describe("Equipment lengths in feet. Empty: all."),
  valid_from: writtenDate.nullable().optional().describe("The first day on which counting may start."),
  valid_until: writtenDate.nullable().optional().describe("The last day on which counting may start."),
  counting_start: z
    .enum(countingStarts)
    .optional()
    .describe("Event that starts the counting of days. Default: discharged, full_out, full_in or empty_out."),
  start_offset_days: z
    .int()
    .min(0)
    .max(30)
    .optional()
    .describe("Number of days after the start at which the first day is counted. Default 1: the day after."),
  free_days: z.int().min(0).max(365),
  free_day_calendar: z.enum(dayCalendars).optional().describe("Calendar of the free days. Default calendar_days."),
  charged_day_calendar: z
    .enum(dayCalendars)
    .optional()
    .describe("Calendar of the charged days. Default calendar_days."),
  weekend_days: z
    .array(weekday)
    .max(7)
    .optional()
    .describe("Weekdays that are no working days; 1 is Monday. Default 6 and 7."),
  holidays: z.array(writtenDate).max(400).optional().describe("Holidays, which are no working days."),
  currency_code: z.string().regex(/^[A-Z]{3}$/, "must be three capital letters such as USD"),
  tiers: z
    .array(z.strictObject({ from_day: z.int().min(1).max(1_000), amount_per_day: text(20) }))
    .min(1)
    .max(20)
    .describe(
      "Prices of a day from the n-th charged day on. The first tier has `from_day` 1, the first day after the free time. " +
        "`amount_per_day` is decimal text.",
    ),
};

const created = {
  ...settings,
  kind: z.enum(demurrageKinds),
  direction: z.enum(tradeDirections),
} satisfies WrittenShape<DemurrageSettings>;

const readOnly = attributeNames("demurrage_rule").filter((name) => !Object.hasOwn(created, name));

export const createDemurrageRuleDocument = {
  name: "CreateDemurrageRule",
  type: "demurrage_rule",
  attributes: z.strictObject(created),
  readOnly,
} satisfies WriteDocument;

/** Absent attributes are not changed. */
export const editDemurrageRuleDocument = {
  name: "EditDemurrageRule",
  type: "demurrage_rule",
  attributes: z.strictObject(created).partial(),
  readOnly,
} satisfies WriteDocument;
