import type { Instant } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";
import type { DecimalAmount } from "./decimal-amount.ts";

/** What is charged: the stay in the terminal (demurrage), or the use of the container outside it. */
export const demurrageKinds = ["demurrage", "detention", "per_diem"] as const;
export type DemurrageKind = (typeof demurrageKinds)[number];

export const tradeDirections = ["import", "export"] as const;
export type TradeDirection = (typeof tradeDirections)[number];

/** calendar_days: every day counts. working_days: weekends and holidays do not count. */
export const dayCalendars = ["calendar_days", "working_days"] as const;
export type DayCalendar = (typeof dayCalendars)[number];

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
  // From the discharge: free time that demurrage and detention share.
  import: { starts: ["full_out", "discharged", "available"], end: "empty_returned" },
  export: { starts: ["empty_out"], end: "full_in" },
};

/** Between which events the days are counted. The first start is the default. */
export const countedBetween: Readonly<Record<DemurrageKind, Readonly<Record<TradeDirection, Counted>>>> = {
  demurrage: {
    import: { starts: ["discharged", "vessel_arrived", "available"], end: "full_out" },
    export: { starts: ["full_in"], end: "vessel_loaded" },
  },
  detention: outside,
  per_diem: outside,
};

/** From the n-th charged day on, a day costs so much. 1 is the first day after the free time. */
export interface DemurrageTier {
  readonly fromDay: number;
  readonly amountPerDay: DecimalAmount;
}

/** To which containers a rule applies. Null, or an empty list: to any. */
export interface DemurrageScope {
  readonly kind: DemurrageKind;
  readonly direction: TradeDirection;
  /** SCAC of the shipping line. */
  readonly carrierScac: string | null;
  /** UN/LOCODE: of the port of discharge for imports, of lading for exports. */
  readonly portLocode: string | null;
  /** FIRMS or SMDG code of a terminal in that port. Imports only. */
  readonly terminalCode: string | null;
  /** Dry, reefer, …, as of the container. */
  readonly equipmentTypes: readonly string[];
  /** Feet. */
  readonly equipmentLengths: readonly number[];
  /** The first and the last day on which the counting may start. */
  readonly validFrom: LocalDate | null;
  readonly validUntil: LocalDate | null;
}

/** How the days are counted and what they cost. */
export interface DemurrageTerms {
  readonly countingStart: CountingStart;
  /** Calendar days after the start at which the first day is counted; 1: the day after. */
  readonly startOffsetDays: number;
  readonly freeDays: number;
  /** Of the free days. */
  readonly freeDayCalendar: DayCalendar;
  /** Of the days after them. */
  readonly chargedDayCalendar: DayCalendar;
  /** 1 (Monday) to 7. */
  readonly weekendDays: readonly number[];
  readonly holidays: readonly LocalDate[];
  /** ISO 4217. */
  readonly currencyCode: string;
  /** Ascending; the first begins with day 1. */
  readonly tiers: readonly DemurrageTier[];
}

/** Free time and charges as the account has agreed them with a shipping line or a terminal (docs/demurrage.md). */
export interface DemurrageRule extends DemurrageScope, DemurrageTerms {
  readonly id: string;
  readonly name: string;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
