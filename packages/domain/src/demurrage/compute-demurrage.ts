import type { Instant } from "../instant.ts";
import { addDays, type LocalDate, localDateOrUtc, nextMidnight } from "../local-time.ts";
import { type DecimalAmount, fromMinorUnits, toMinorUnits } from "./decimal-amount.ts";
import {
  type CountingEnd,
  type CountingStart,
  countedBetween,
  type DemurrageKind,
  type DemurrageRule,
  type DemurrageTerms,
  demurrageKinds,
  type TradeDirection,
  tradeDirections,
} from "./demurrage-rule.ts";
import { appliesTo, mostSpecific } from "./select-rule.ts";

/** Facts about a container that the rules use. Times are actual ones. */
export interface DemurrageFacts {
  readonly carrierScac: string;
  readonly polLocode: string | null;
  readonly polTimeZone: string | null;
  readonly podLocode: string | null;
  readonly podTimeZone: string | null;
  /** FIRMS and SMDG code of the terminal at the port of discharge. */
  readonly podTerminalCodes: readonly string[];
  readonly equipmentType: string | null;
  readonly equipmentLength: number | null;
  readonly emptyOutAt: Instant | null;
  readonly fullInAt: Instant | null;
  readonly vesselLoadedAt: Instant | null;
  readonly vesselArrivedAt: Instant | null;
  readonly dischargedAt: Instant | null;
  /** When it was first reported as available for pickup. */
  readonly availableAt: Instant | null;
  /** Out of the terminal at the port of discharge, by road or by rail. */
  readonly leftTerminalAt: Instant | null;
  /** Taken over full by the consignee's haulier. */
  readonly fullOutAt: Instant | null;
  readonly emptyReturnedAt: Instant | null;
  /** When tracking stopped: later events are not known. */
  readonly stoppedAt: Instant | null;
}

export const demurrageStatuses = ["waiting", "free", "charged", "ended", "stopped"] as const;
export type DemurrageStatus = (typeof demurrageStatuses)[number];

export const freeReasons = ["free_day", "weekend", "holiday"] as const;

/** A day between the start and the end, or today. */
export interface CountedDay {
  readonly date: LocalDate;
  /** Why nothing is charged; null: it is charged. */
  readonly free: (typeof freeReasons)[number] | null;
  /** The n-th free day, or the n-th charged day; null: a weekend or holiday that does not count. */
  readonly number: number | null;
  readonly amount: DecimalAmount;
}

/** Charge of one rule for a container, as of a time. */
export interface DemurrageCharge {
  readonly kind: DemurrageKind;
  readonly direction: TradeDirection;
  /**
   * waiting: the start was not reported. free: nothing is charged yet. charged: it grows. ended: the end was reported.
   * stopped: tracking stopped before the end.
   */
  readonly status: DemurrageStatus;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly countingStart: CountingStart;
  readonly startedAt: Instant | null;
  /** The first day that is counted. */
  readonly startDay: LocalDate | null;
  readonly countingEnd: CountingEnd;
  readonly endedAt: Instant | null;
  /** IANA zone of the days. */
  readonly timeZone: string;
  readonly freeDays: number;
  readonly freeDaysUsed: number;
  /** The last day that counts as free; the day before the first without free days. */
  readonly lastFreeDay: LocalDate | null;
  readonly chargedDays: number;
  readonly amount: DecimalAmount;
  readonly currencyCode: string;
  /** Price of the next day that is charged. Null: no day follows. */
  readonly amountPerDay: DecimalAmount | null;
  readonly days: readonly CountedDay[];
}

/** Stored part of a charge: without its days, which grow. */
export type ChargeSummary = Omit<DemurrageCharge, "days">;

/** Statuses of charges that grow, or will after their free days, and of those whose end was not reported. */
const runningStatuses: ReadonlySet<DemurrageStatus> = new Set(["free", "charged", "stopped"]);

/** The charges of an import that the container's pickup or return will end. */
export const runningImportCharges = <Charge extends Pick<ChargeSummary, "direction" | "status">>(
  charges: readonly Charge[],
): readonly Charge[] =>
  charges.filter(({ direction, status }) => direction === "import" && runningStatuses.has(status));

/** The earliest day applies, because the party that set it charges from then on. */
export const earliestDay = (days: readonly (LocalDate | null)[]): LocalDate | null =>
  days.filter((day) => day !== null).toSorted()[0] ?? null;

/** The last free day by the rules of the account, of charges that run. Null: none does, or none has free days. */
export const lastFreeDayByRule = (
  charges: readonly Pick<ChargeSummary, "direction" | "status" | "lastFreeDay">[],
): LocalDate | null => earliestDay(runningImportCharges(charges).map(({ lastFreeDay }) => lastFreeDay));

export interface ComputedDemurrage {
  readonly charges: readonly DemurrageCharge[];
  /** The next local midnight, which adds a day to what runs. Null: time changes nothing. */
  readonly nextChangeAt: Instant | null;
}

/** Days that are counted at most; a container that stays longer is charged for no more. */
const countedDaysMax = 1_000;

/** Why the day does not count in the calendar; null: it counts. */
function freeInCalendar(terms: DemurrageTerms, day: LocalDate, calendar: "freeDayCalendar" | "chargedDayCalendar") {
  if (terms[calendar] === "calendar_days") return null;
  if (terms.holidays.includes(day)) return "holiday";
  return terms.weekendDays.includes(new Date(day).getUTCDay() || 7) ? "weekend" : null;
}

/** Returns the rate of a charged day in minor units. */
function dailyRate({ tiers, currencyCode }: DemurrageTerms, chargedDay: number): bigint {
  const tier = tiers.findLast(({ fromDay }) => fromDay <= chargedDay);
  return tier ? toMinorUnits({ amount: tier.amountPerDay, currencyCode }) : 0n;
}

/** The last day that counts as free. Null: the calendar has no such day within the days that are counted. */
function findLastFreeDay(terms: DemurrageTerms, startDay: LocalDate): LocalDate | null {
  let used = 0;
  let day = addDays(startDay, -1);
  for (let count = 0; used < terms.freeDays; count++) {
    if (count === countedDaysMax) return null;
    day = addDays(day, 1);
    if (freeInCalendar(terms, day, "freeDayCalendar") === null) used++;
  }
  return day;
}

/** The days from the start to the end, both included. */
function countDays(terms: DemurrageTerms, startDay: LocalDate | null, endDay: LocalDate) {
  const { currencyCode } = terms;
  const nothing = fromMinorUnits(0n, currencyCode);
  const days: CountedDay[] = [];
  let freeDaysUsed = 0;
  let chargedDays = 0;
  let units = 0n;
  for (let date = startDay; date !== null && date <= endDay && days.length < countedDaysMax; date = addDays(date, 1)) {
    const isInFreeTime = freeDaysUsed < terms.freeDays;
    const free = freeInCalendar(terms, date, isInFreeTime ? "freeDayCalendar" : "chargedDayCalendar");
    if (free !== null) {
      days.push({ date, free, number: null, amount: nothing });
    } else if (isInFreeTime) {
      freeDaysUsed++;
      days.push({ date, free: "free_day", number: freeDaysUsed, amount: nothing });
    } else {
      chargedDays++;
      const rate = dailyRate(terms, chargedDays);
      units += rate;
      days.push({ date, free: null, number: chargedDays, amount: fromMinorUnits(rate, currencyCode) });
    }
  }
  return { days, freeDaysUsed, chargedDays, amount: fromMinorUnits(units, currencyCode) };
}

const startTimes: Readonly<Record<CountingStart, (facts: DemurrageFacts) => Instant | null>> = {
  vessel_arrived: (facts) => facts.vesselArrivedAt,
  discharged: (facts) => facts.dischargedAt,
  available: (facts) => facts.availableAt,
  full_out: (facts) => facts.fullOutAt,
  empty_out: (facts) => facts.emptyOutAt,
  full_in: (facts) => facts.fullInAt,
};

const endTimes: Readonly<Record<CountingEnd, (facts: DemurrageFacts) => Instant | null>> = {
  full_out: (facts) => facts.leftTerminalAt,
  empty_returned: (facts) => facts.emptyReturnedAt,
  vessel_loaded: (facts) => facts.vesselLoadedAt,
  full_in: (facts) => facts.fullInAt,
};

/** A later event was reported: an end that was not reported is over, on a day that is not known. */
const isPast: Readonly<Record<TradeDirection, (facts: DemurrageFacts) => boolean>> = {
  import: (facts) => facts.emptyReturnedAt !== null,
  export: (facts) => (facts.vesselArrivedAt ?? facts.dischargedAt) !== null,
};

interface Place {
  readonly locode: string | null;
  readonly timeZone: string;
  readonly today: LocalDate;
}

/** UTC where the zone of the place is not known. */
function placeOf(facts: DemurrageFacts, direction: TradeDirection, now: Instant): Place {
  const isImport = direction === "import";
  const timeZone = (isImport ? facts.podTimeZone : facts.polTimeZone) ?? "UTC";
  const today = localDateOrUtc(now, timeZone);
  return { locode: isImport ? facts.podLocode : facts.polLocode, timeZone, today };
}

/** The local day of the start, with the offset of the rule. Null: it was not reported. */
function startOf(rule: DemurrageRule, facts: DemurrageFacts, { timeZone }: Place) {
  const startedAt = startTimes[rule.countingStart](facts);
  const day = startedAt && localDateOrUtc(startedAt, timeZone);
  return { startedAt, startDay: day && addDays(day, rule.startOffsetDays) };
}

const endStatus = (endedAt: Instant | null): DemurrageStatus => (endedAt === null ? "stopped" : "ended");

function runningStatus(startDay: LocalDate | null, chargedDays: number): DemurrageStatus {
  if (startDay === null) return "waiting";
  return chargedDays > 0 ? "charged" : "free";
}

function computeCharge(rule: DemurrageRule, facts: DemurrageFacts, place: Place): DemurrageCharge | null {
  const { kind, direction, currencyCode } = rule;
  const countingEnd = countedBetween[kind][direction].end;
  const endedAt = endTimes[countingEnd](facts);
  const { startedAt, startDay } = startOf(rule, facts, place);
  const hasEnded = endedAt !== null || facts.stoppedAt !== null;
  // Days that are over are counted only between a start and an end that were reported.
  if ((startDay === null && hasEnded) || (endedAt === null && isPast[direction](facts))) return null;
  const lastAt = endedAt ?? facts.stoppedAt;
  const endDay = lastAt === null ? place.today : localDateOrUtc(lastAt, place.timeZone);
  const counted = countDays(rule, startDay, endDay);
  return {
    kind,
    direction,
    status: hasEnded ? endStatus(endedAt) : runningStatus(startDay, counted.chargedDays),
    ruleId: rule.id,
    ruleName: rule.name,
    countingStart: rule.countingStart,
    startedAt,
    startDay,
    countingEnd,
    endedAt,
    timeZone: place.timeZone,
    freeDays: rule.freeDays,
    freeDaysUsed: counted.freeDaysUsed,
    lastFreeDay: startDay && findLastFreeDay(rule, startDay),
    chargedDays: counted.chargedDays,
    amount: counted.amount,
    currencyCode,
    amountPerDay: hasEnded ? null : fromMinorUnits(dailyRate(rule, counted.chargedDays + 1), currencyCode),
    days: counted.days,
  };
}

/**
 * The charges of a container: for each kind and direction those of the most specific rule that applies. Pure: the same
 * facts, rules and time give the same result. `now`: on the tracking clock.
 */
export function computeDemurrage(
  facts: DemurrageFacts,
  rules: readonly DemurrageRule[],
  now: Instant,
): ComputedDemurrage {
  const charges = tradeDirections.flatMap((direction) => {
    const place = placeOf(facts, direction, now);
    const container = {
      ...facts,
      portLocode: place.locode,
      terminalCodes: direction === "import" ? facts.podTerminalCodes : [],
    };
    return demurrageKinds.flatMap((kind) => {
      const applying = rules.filter(
        (rule) =>
          rule.kind === kind &&
          rule.direction === direction &&
          appliesTo(rule, container, startOf(rule, facts, place).startDay ?? place.today),
      );
      const rule = mostSpecific(applying);
      return (rule && computeCharge(rule, facts, place)) ?? [];
    });
  });
  const midnights = charges.flatMap(({ status, timeZone }) =>
    status === "ended" || status === "stopped" ? [] : nextMidnight(now, timeZone),
  );
  return { charges, nextChangeAt: midnights.toSorted()[0] ?? null };
}
