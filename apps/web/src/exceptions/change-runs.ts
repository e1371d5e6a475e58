import { dayMs, type Instant, msBetween } from "@svc/domain";
import { type Money, moneyText } from "@svc/domain/money";
import { eventLabel } from "@svc/views";
import type { ChangeRecord } from "../shipments/api-records.ts";

/** So many changes in a row of one value are one entry. */
const runMin = 3;

interface Listed {
  /** The change of a value that the entry is about; null: it is about something else. */
  readonly change: ChangeRecord | null;
}

const isSameValue = ({ change }: Listed, other: Listed): boolean =>
  change !== null && change.field === other.change?.field && change.dataSource === other.change.dataSource;

/** Splits entries into runs of changes of one value by one source, and single entries. Keeps their order. */
export function changeRuns<Entry extends Listed>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && isSameValue(last, entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => (run.length < runMin ? run.map((entry) => [entry]) : [run]));
}

interface Fee extends Money {
  readonly type: string;
}

const isFee = (value: unknown): value is Fee =>
  typeof value === "object" && value !== null && "amount" in value && typeof value.amount === "number";

const feesOf = (value: unknown): readonly Fee[] => (Array.isArray(value) ? value.filter(isFee) : []);

const isSameFee = (one: Fee, other: Fee): boolean => one.type === other.type && one.currencyCode === other.currencyCode;

/** The only fee that a change raised, and by how much; null: it changed more than one, or something else. */
function raisedFee({ previousValue, value }: ChangeRecord) {
  const [before, after] = [feesOf(previousValue), feesOf(value)];
  const hasLost = before.length > after.length || before.some((old) => !after.some((fee) => isSameFee(fee, old)));
  if (hasLost) return null;
  const changed = after.flatMap((fee) => {
    const old = before.find((one) => isSameFee(one, fee));
    const by = Math.round((fee.amount - (old?.amount ?? 0)) * 1000) / 1000;
    return by === 0 ? [] : [{ fee, by }];
  });
  const [only = null] = changed;
  return changed.length === 1 && only !== null && only.by > 0 ? only : null;
}

const isDayAfter = (one: Instant, other: Instant): boolean => {
  const gapMs = msBetween(one, other);
  return gapMs > dayMs / 2 && gapMs < (3 * dayMs) / 2;
};

/**
 * "Demurrage grew by 150.00 USD per day to 1,650.00 USD": changes that each raised one fee, the newest first, by the
 * same amount from day to day. Null: they did something else.
 */
export function feeGrowthText(newestFirst: readonly ChangeRecord[]): string | null {
  const [newest] = newestFirst;
  const growth = newest ? raisedFee(newest) : null;
  if (growth === null) return null;
  const { fee, by } = growth;
  const isDaily = newestFirst.every((change, index) => {
    const [raised, later] = [raisedFee(change), newestFirst[index - 1]];
    const isSame = raised !== null && raised.by === by && isSameFee(raised.fee, fee);
    return isSame && (later === undefined || isDayAfter(change.validFrom, later.validFrom));
  });
  if (!isDaily) return null;
  const rate = moneyText({ amount: by, currencyCode: fee.currencyCode });
  return `${eventLabel(fee.type)} grew by ${rate} per day to ${moneyText(fee)}`;
}
