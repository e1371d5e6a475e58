import { currencyDigits, isCurrencyCode } from "../demurrage/decimal-amount.ts";

export interface Money {
  readonly amount: number;
  readonly currencyCode: string | null;
}

/** One sum for each currency; without what is 0. */
export function sumMoney(amounts: readonly Money[]): Money[] {
  const sums = new Map<string | null, number>();
  for (const { amount, currencyCode } of amounts) {
    if (amount > 0) sums.set(currencyCode, (sums.get(currencyCode) ?? 0) + amount);
  }
  return [...sums].map(([currencyCode, amount]) => ({ amount: Math.round(amount * 1_000) / 1_000, currencyCode }));
}

const moneyFormats = new Map<number, Intl.NumberFormat>();

function moneyFormat(digits: number): Intl.NumberFormat {
  const format =
    moneyFormats.get(digits) ??
    new Intl.NumberFormat("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  moneyFormats.set(digits, format);
  return format;
}

/** Decimal places of amounts of a currency; two where it is unknown. */
export const moneyDigits = (currencyCode: string | null): number =>
  currencyCode !== null && isCurrencyCode(currencyCode) ? currencyDigits(currencyCode) : 2;

/** "2,850.00 USD", "7,500 JPY", "12.376 KWD": with the decimal places of the currency. */
export const moneyText = ({ amount, currencyCode }: Money): string =>
  `${moneyFormat(moneyDigits(currencyCode)).format(amount)} ${currencyCode ?? ""}`.trim();
