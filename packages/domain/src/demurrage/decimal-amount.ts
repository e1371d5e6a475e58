/**
 * An amount of money as decimal text, for example `75.50`. Sums are made of whole minor units, so that none is rounded.
 */
export type DecimalAmount = string;

/** An amount in a currency (ISO 4217). */
export interface CurrencyAmount {
  readonly amount: DecimalAmount;
  readonly currencyCode: string;
}

const knownCurrencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
export const isCurrencyCode = (code: string): boolean => knownCurrencies.has(code);

const digitsByCurrency = new Map<string, number>();

/** Decimal places of the currency: 2 of USD, 0 of JPY, 3 of KWD. */
export function currencyDigits(currencyCode: string): number {
  let digits = digitsByCurrency.get(currencyCode);
  if (digits === undefined) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency: currencyCode });
    digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    digitsByCurrency.set(currencyCode, digits);
  }
  return digits;
}

/** Whether the text is an amount of at most 9 whole digits, with no more decimal places than the currency has. */
export function isDecimalAmount(text: string, currencyCode: string): boolean {
  const parts = /^\d{1,9}(?:\.(\d+))?$/.exec(text);
  return parts !== null && (parts[1] ?? "").length <= currencyDigits(currencyCode);
}

export function toMinorUnits({ amount, currencyCode }: CurrencyAmount): bigint {
  const [integerPart = "0", decimals = ""] = amount.split(".");
  return BigInt(integerPart + decimals.padEnd(currencyDigits(currencyCode), "0"));
}

export function fromMinorUnits(units: bigint, currencyCode: string): DecimalAmount {
  const digits = currencyDigits(currencyCode);
  const text = units.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** One sum for each currency, without those that are zero. */
export function sumAmounts(amounts: readonly CurrencyAmount[]): CurrencyAmount[] {
  const sums = new Map<string, bigint>();
  for (const one of amounts) sums.set(one.currencyCode, (sums.get(one.currencyCode) ?? 0n) + toMinorUnits(one));
  return [...sums].flatMap(([currencyCode, units]) =>
    units === 0n ? [] : [{ amount: fromMinorUnits(units, currencyCode), currencyCode }],
  );
}
