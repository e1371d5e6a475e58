import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";

type Choices = readonly (readonly [value: string, label: string])[];

/** "Maersk (MAEU)". */
export const carrierLabel = ({ scac, shortName }: CarrierChoice): string => `${shortName} (${scac})`;

/** The carriers by name; `chosen` is offered by its SCAC where it is none of them. `none`: label of no carrier. */
export function carrierChoices(lines: readonly CarrierChoice[], chosen: string, none: string): Choices {
  const isOffered = chosen === "" || lines.some(({ scac }) => scac === chosen);
  return [
    ["", none],
    ...(isOffered ? [] : [[chosen, chosen] as const]),
    ...lines.map((line) => [line.scac, carrierLabel(line)] as const),
  ];
}

/** Currencies in which carriers and terminals charge most often. */
const usualCurrencies = ["USD", "EUR", "GBP", "CNY", "JPY", "HKD", "SGD", "INR", "CAD", "AUD"];
const currencyNames = new Intl.DisplayNames("en", { type: "currency" });
const currencies = [...new Set([...usualCurrencies, ...Intl.supportedValuesOf("currency")])].map(
  (code) => [code, `${code} (${currencyNames.of(code)})`] as const,
);

/** The currencies of ISO 4217, the usual ones first; `chosen` is offered even if it is none of them. */
export const currencyChoices = (chosen: string): Choices =>
  currencies.some(([code]) => code === chosen) ? currencies : [[chosen, chosen], ...currencies];
