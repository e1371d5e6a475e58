import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

/** Kinds of charges: for the stay in the terminal (demurrage), or for the use of the container outside it. */
export const demurrageKinds = ["demurrage", "detention", "per_diem"] as const;
export type DemurrageKind = (typeof demurrageKinds)[number];

export const tradeDirections = ["import", "export"] as const;
export type TradeDirection = (typeof tradeDirections)[number];

/** calendar_days: every day counts. working_days: weekends and holidays do not count. */
export const dayCalendars = ["calendar_days", "working_days"] as const;

export const countingStarts = [
  "vessel_arrived",
  "discharged",
  "available",
  "full_out",
  "empty_out",
  "full_in",
] as const;
export type CountingStart = (typeof countingStarts)[number];

export const countingEnds = ["full_out", "empty_returned", "vessel_loaded", "full_in"] as const;
export type CountingEnd = (typeof countingEnds)[number];

interface Counted {
  readonly starts: readonly CountingStart[];
  readonly end: CountingEnd;
}

const outside: Readonly<Record<TradeDirection, Counted>> = {
  // Free time that demurrage and detention share begins with the discharge.
  import: { starts: ["full_out", "discharged", "available"], end: "empty_returned" },
  export: { starts: ["empty_out"], end: "full_in" },
};

/** Events between which the days are counted. The first start is the default. */
export const countedBetween: Readonly<Record<DemurrageKind, Readonly<Record<TradeDirection, Counted>>>> = {
  demurrage: {
    import: { starts: ["discharged", "vessel_arrived", "available"], end: "full_out" },
    export: { starts: ["full_in"], end: "vessel_loaded" },
  },
  detention: outside,
  per_diem: outside,
};

/** Price of a day from the n-th charged day on. Day 1 is the first one after the free time. */
const tier = z.object({ fromDay: z.number().int(), amountPerDay: z.string().describe("Amount as decimal text.") });

const day = z.iso.date().nullable();
const calendar = z.enum(dayCalendars);

/** Null, or an empty list: any. */
const scopeFields = {
  kind: z.enum(demurrageKinds).describe("demurrage: in the terminal; detention and per_diem: outside it."),
  direction: z.enum(tradeDirections),
  carrierScac: z.string().nullable().describe("SCAC of the shipping line. Null: every line."),
  portLocode: z
    .string()
    .nullable()
    .describe("UN/LOCODE of the port of discharge (import) or of lading (export). Null: every port."),
  /** Imports only. */
  terminalCode: z.string().nullable().describe("FIRMS or SMDG code of a terminal in the port. Null: every one."),
  equipmentTypes: z.array(z.string()).describe("Equipment types; empty: every type."),
  equipmentLengths: z.array(z.number().int()).describe("Equipment lengths in feet; empty: every length."),
  validFrom: day.describe("The first day on which counting may start. Null: any."),
  validUntil: day.describe("The last day on which counting may start. Null: any."),
};

const termsFields = {
  countingStart: z.enum(countingStarts).describe("The event that starts the counting of days."),
  startOffsetDays: z.number().int().describe("Number of days after the start at which the first day is counted."),
  freeDays: z.number().int(),
  freeDayCalendar: calendar.describe("Calendar of the free days."),
  chargedDayCalendar: calendar.describe("Calendar of the charged days."),
  weekendDays: z.array(z.number().int().min(1).max(7)).describe("Weekdays that are no working days; 1 is Monday."),
  holidays: z.array(z.iso.date()).describe("Holidays, which are no working days."),
  currencyCode: z.string().describe("Currency code by ISO 4217."),
  /** Ascending; the first begins with day 1. */
  tiers: z.array(tier),
};

/** Settings that a member can change. */
export const demurrageSettingFields = { name: z.string(), ...scopeFields, ...termsFields };

/** docs/demurrage.md. */
export const demurrageRuleFields = {
  id: z.uuid(),
  ...demurrageSettingFields,
  rowVersion: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** Containers that a rule applies to. Null, or an empty list: any. */
export interface DemurrageScope extends RecordOf<typeof scopeFields> {}

/** How the days are counted and what they cost. */
export interface DemurrageTerms extends RecordOf<typeof termsFields> {}

export interface DemurrageSettings extends RecordOf<typeof demurrageSettingFields> {}

/** Free time and charges as the account has agreed them with a shipping line or a terminal. */
export interface DemurrageRule extends RecordOf<typeof demurrageRuleFields> {}
