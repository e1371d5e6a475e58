import type { Money } from "./exception.ts";

const format = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "2,850.00 USD". */
export const moneyText = ({ amount, currencyCode }: Money): string =>
  `${format.format(amount)} ${currencyCode ?? ""}`.trim();
