import type { Money } from "../money/money.ts";
import type { ExceptionStatus } from "./exception.ts";

/** What an exception of a container charges. */
export interface ChargedException {
  readonly id: string;
  /** The value by which the sums are grouped. */
  readonly group: string | null;
  readonly kind: string;
  /** Container number. */
  readonly number: string;
  readonly status: ExceptionStatus;
  /** Amounts charged so far. */
  readonly amounts: readonly Money[];
  /** The price of the next day. Null: not known. */
  readonly perDay: Money | null;
  /** Tracking stopped, so that the amounts are not updated. */
  readonly isOutdated: boolean;
}

export interface CurrencySum {
  readonly currencyCode: string | null;
  /** Charged so far. */
  readonly amount: number;
  readonly perDay: number;
  /** Number of exceptions whose price of a day is known. */
  readonly rated: number;
}

/** Sums of the exceptions of a group. An exception that several tracked shipments have is counted once. */
export interface ChargeSums {
  readonly value: string | null;
  /** Containers, each counted once for each kind of exception. */
  readonly containers: number;
  /** Those that several tracked shipments have. */
  readonly repeated: number;
  /** Those without any amount so far. */
  readonly unpriced: number;
  readonly outdated: number;
  readonly snoozed: number;
  readonly resolved: number;
  /** By currency, the largest amount first. */
  readonly sums: readonly CurrencySum[];
}

/** Exact to the smallest unit of every currency. */
const added = (one: number, other: number): number => Math.round((one + other) * 1_000) / 1_000;

/** Adds up by currency, the largest amount first. */
export function addCurrencySums(parts: readonly CurrencySum[]): CurrencySum[] {
  const sums = new Map<string | null, CurrencySum>();
  for (const { currencyCode, ...part } of parts) {
    const { amount, perDay, rated } = sums.get(currencyCode) ?? { amount: 0, perDay: 0, rated: 0 };
    const sum = { amount: added(amount, part.amount), perDay: added(perDay, part.perDay), rated: rated + part.rated };
    sums.set(currencyCode, { currencyCode, ...sum });
  }
  return [...sums.values()].sort((one, other) => other.amount - one.amount);
}

export const sumByCurrency = (charged: readonly Pick<ChargedException, "amounts" | "perDay">[]): CurrencySum[] =>
  addCurrencySums(
    charged.flatMap(({ amounts, perDay }) => [
      ...amounts.map(({ amount, currencyCode }) => ({ currencyCode, amount, perDay: 0, rated: 0 })),
      ...(perDay ? [{ currencyCode: perDay.currencyCode, amount: 0, perDay: perDay.amount, rated: 1 }] : []),
    ]),
  );

/**
 * Charges grow while they are updated, so that the largest are by the newest facts, unless a fee was waived. As a rule
 * a container is charged in one currency, so currencies are not compared.
 */
const totalOf = ({ amounts }: ChargedException): number => amounts.reduce((total, { amount }) => total + amount, 0);

/**
 * Exceptions of one container in several tracked shipments, such as that of its bill of lading and one of its own
 * number, are of the same charges. Where tracking stopped, it may have been another voyage.
 */
function sumGroup(value: string | null, exceptions: readonly ChargedException[]): ChargeSums {
  const byContainer = Map.groupBy(exceptions, ({ id, kind, number, isOutdated }) =>
    isOutdated ? id : `${kind} ${number}`,
  );
  const groups = [...byContainer.values()];
  const counted = groups.map((same) => same.reduce((one, other) => (totalOf(other) > totalOf(one) ? other : one)));
  const count = (matches: (one: ChargedException) => boolean) => counted.filter(matches).length;
  return {
    value,
    containers: counted.length,
    repeated: groups.filter((same) => same.length > 1).length,
    unpriced: count(({ amounts }) => amounts.length === 0),
    outdated: count(({ isOutdated }) => isOutdated),
    snoozed: count(({ status }) => status === "snoozed"),
    resolved: count(({ status }) => status === "resolved"),
    sums: sumByCurrency(counted),
  };
}

/** Sums charges by group, the groups with the most containers first. */
export function sumCharges(exceptions: readonly ChargedException[]): ChargeSums[] {
  const groups = Map.groupBy(exceptions, ({ group }) => group);
  return [...groups]
    .map(([value, ofGroup]) => sumGroup(value, ofGroup))
    .sort((one, other) => other.containers - one.containers);
}
