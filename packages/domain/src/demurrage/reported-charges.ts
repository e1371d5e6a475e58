import { dayMs, type Instant, msBetween } from "../instant.ts";
import { type Money, sumMoney } from "../money/money.ts";
import { type DemurrageCharge, earliestDay } from "./compute-demurrage.ts";
import { sumAmounts } from "./decimal-amount.ts";

export interface ReportedFee extends Money {
  readonly type: string;
}

/** The fees of a container from when they were reported. */
export interface FeeReport {
  readonly at: Instant;
  readonly fees: readonly ReportedFee[];
}

/** Cost of a container so far, and of each further day. */
export interface ChargedPrice {
  /** Charges by time, one for each currency. */
  readonly amounts: readonly Money[];
  /** Other fees, such as an exam, one for each currency. */
  readonly fees: readonly Money[];
  /** Types of these fees; `other` is also what a reported total has besides its parts. */
  readonly feeTypes: readonly string[];
  /** Of the same source as the demurrage among the amounts. Undefined: not known. */
  readonly perDay: Money | undefined;
  /** Source of the demurrage; undefined: none is charged. */
  readonly source: "terminal" | "rule" | undefined;
}

/** Types of fees that grow with the time in the terminal. */
const typesByTime: ReadonlySet<string> = new Set(["demurrage", "extended_dwell_time"]);

/**
 * A terminal may report a total beside its parts; then only the total is charged. Its share by time is the sum of the
 * parts by time or, without any, the total minus the other parts.
 */
function splitFees(reported: readonly ReportedFee[]) {
  const byCurrency = Map.groupBy(reported, ({ currencyCode }) => currencyCode);
  const split = [...byCurrency].map(([currencyCode, fees]) => {
    const sumCounted = (isCounted: (type: string) => boolean): number =>
      fees.reduce((sum, { type, amount }) => (isCounted(type) ? sum + amount : sum), 0);
    const total = sumCounted((type) => type === "total");
    const parts = sumCounted((type) => typesByTime.has(type));
    const isOther = (type: string): boolean => type !== "total" && !typesByTime.has(type);
    const others = sumCounted(isOther);
    const byTime = parts > 0 ? parts : Math.max(total - others, 0);
    const types = fees.flatMap(({ type, amount }) => (isOther(type) && amount > 0 ? [type] : []));
    const hasRest = total - byTime > others;
    return {
      currencyCode,
      byTime,
      others: total > 0 ? Math.max(total - byTime, 0) : others,
      types: hasRest ? [...types, "other"] : types,
    };
  });
  return {
    otherTypes: [...new Set(split.flatMap(({ types }) => types))],
    byTime: sumMoney(split.map(({ currencyCode, byTime: amount }) => ({ currencyCode, amount }))),
    others: sumMoney(split.map(({ currencyCode, others: amount }) => ({ currencyCode, amount }))),
  };
}

/** What a terminal reports so far as charged by time, one sum for each currency. */
export const reportedDemurrage = (fees: readonly ReportedFee[]): readonly Money[] => splitFees(fees).byTime;

/** Growth of demurrage between two reports. */
interface Growth {
  readonly amount: number;
  /** Possible prices per day, in cents. */
  readonly pricesPerDay: readonly number[];
}

/** Days by which the time between two polls may differ from a whole number of days and still count as that number. */
const fullDayTolerance = 1 / 12;

/**
 * A report is read up to a day after it was made. Therefore the growth between two reports that were read 1.4 days
 * apart is the price of one day or of two.
 */
function growthBetween(from: DemurrageReport, to: DemurrageReport): Growth {
  const days = msBetween(from.at, to.at) / dayMs;
  const isFullDays = Math.abs(days - Math.round(days)) <= fullDayTolerance;
  const numbers = isFullDays ? [Math.round(days)] : [Math.floor(days), Math.ceil(days)];
  const amount = to.amount - from.amount;
  const pricesPerDay = new Set(numbers.map((number) => Math.round((amount / Math.max(number, 1)) * 100)));
  return { amount, pricesPerDay: [...pricesPerDay] };
}

const onlyOne = (prices: readonly number[]): number | undefined => (prices.length === 1 ? prices[0] : undefined);

type DemurrageReport = Money & Pick<FeeReport, "at">;

/**
 * The price per day of the last growth of the reported demurrage that has only one possible price. Several possible
 * prices are reduced to those that another growth has too, or else to those of which the first amount is a multiple.
 * Undefined: no growth has only one.
 */
function reportedPerDay(reports: readonly FeeReport[]): Money | undefined {
  const demurrage = reports.flatMap(({ at, fees }): DemurrageReport[] => {
    const fee = fees.find(({ type }) => type === "demurrage");
    return fee ? [{ at, amount: fee.amount, currencyCode: fee.currencyCode }] : [];
  });
  const currencyCode = demurrage.at(-1)?.currencyCode ?? null;
  const [first, ...later] = demurrage.filter((one) => one.currencyCode === currencyCode);
  if (first === undefined) return undefined;
  const growths = later
    .map((report, index) => growthBetween(later[index - 1] ?? first, report))
    .filter(({ amount }) => amount > 0);
  const firstCents = Math.round(first.amount * 100);
  const dayPrice = ({ pricesPerDay }: Growth, index: number): number | undefined => {
    const others = growths.filter((_, other) => other !== index);
    const isShared = (price: number) => others.some((other) => other.pricesPerDay.includes(price));
    return (
      onlyOne(pricesPerDay) ??
      onlyOne(pricesPerDay.filter(isShared)) ??
      onlyOne(pricesPerDay.filter((price) => firstCents > 0 && firstCents % price === 0))
    );
  };
  const price = growths.map(dayPrice).findLast((one) => one !== undefined);
  return price === undefined ? undefined : { amount: price / 100, currencyCode };
}

/** Returns the charges that a terminal reports so far, one sum for each currency. */
export function reportedAmounts(fees: readonly ReportedFee[]): readonly Money[] {
  const { byTime, others } = splitFees(fees);
  return sumMoney([...byTime, ...others]);
}

/** The charges that the next day is charged by: those that grow, otherwise those whose free time ends first. */
function nextCharges(charges: readonly DemurrageCharge[]): readonly DemurrageCharge[] {
  const growing = charges.filter(({ status, amount }) => status === "charged" || Number(amount) > 0);
  const first = earliestDay(charges.map(({ lastFreeDay }) => lastFreeDay));
  return growing.length > 0 ? growing : charges.filter(({ lastFreeDay }) => lastFreeDay === first);
}

/** Returns the charges of the rules so far, and for the next day; undefined with several currencies. */
function ruledPrice(charges: readonly DemurrageCharge[]): Pick<ChargedPrice, "amounts" | "perDay"> {
  const toMoney = ({ amount, currencyCode }: { readonly amount: string; readonly currencyCode: string }): Money => ({
    amount: Number(amount),
    currencyCode,
  });
  const rates = sumAmounts(
    nextCharges(charges).flatMap(({ amountPerDay, currencyCode }) =>
      amountPerDay === null ? [] : [{ amount: amountPerDay, currencyCode }],
    ),
  );
  const [rate] = rates;
  return {
    amounts: sumAmounts(charges).map(toMoney),
    perDay: rates.length === 1 && rate ? toMoney(rate) : undefined,
  };
}

function sourceOf(byTime: readonly unknown[], ruled: readonly unknown[]): ChargedPrice["source"] {
  if (byTime.length > 0) return "terminal";
  return ruled.length > 0 ? "rule" : undefined;
}

/**
 * The price of a container that waits or is not returned. What the terminal reports as charged by time, such as
 * demurrage, takes the place of what the rules charge; other fees, such as an exam, stand beside it. Reports show the
 * price of a day by how much the demurrage grew; until they do, it is not known: the tariff of the terminal may differ
 * from the rules. A price of a day in a currency in which nothing is charged by time is left out.
 * @param charges those that run.
 */
export function priceOf(
  charges: readonly DemurrageCharge[],
  reported: { readonly fees: readonly ReportedFee[]; readonly feeReports: readonly FeeReport[] },
): ChargedPrice {
  const { byTime, others, otherTypes } = splitFees(reported.fees);
  const isReported = byTime.length > 0;
  const ruled = ruledPrice(charges);
  const amounts = isReported ? byTime : sumMoney(ruled.amounts);
  const hasChargedCurrency = ({ currencyCode }: Money) => amounts.some((one) => one.currencyCode === currencyCode);
  const perDay = isReported ? reportedPerDay(reported.feeReports) : ruled.perDay;
  const isPriced = perDay && (amounts.length === 0 || hasChargedCurrency(perDay));
  return {
    amounts,
    fees: others,
    feeTypes: otherTypes,
    perDay: isPriced ? perDay : undefined,
    source: sourceOf(byTime, ruled.amounts),
  };
}
