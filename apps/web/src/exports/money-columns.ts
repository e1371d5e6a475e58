import type { ContainerOverviewExportRow } from "@svc/jsonapi/exports";

type MoneyName = "fees" | "terminal_demurrage" | "rule_demurrage" | "rule_detention" | "cost_so_far" | "cost_per_day";

export type MoneyColumn = `${MoneyName}_amount` | `${MoneyName}_currency_code`;

interface Amount {
  /** A number, or decimal text. */
  readonly amount: number | string;
  readonly currency_code: string | null;
}

export const moneyColumns = (...names: readonly MoneyName[]): MoneyColumn[] =>
  names.flatMap((name): MoneyColumn[] => [`${name}_amount`, `${name}_currency_code`]);

/** Sums as many decimals as a currency has, without errors of binary fractions. */
const sumOf = (amounts: readonly Amount[]): number =>
  amounts.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1_000), 0) / 1_000;

/** A number that a spreadsheet can sum, and its currency. Amounts in several currencies have no sum: "EUR + USD". */
function money<Name extends MoneyName>(name: Name, amounts: readonly Amount[]) {
  const currencies = [...new Set(amounts.map(({ currency_code }) => currency_code ?? ""))].toSorted();
  return {
    [`${name}_amount`]: currencies.length === 1 ? sumOf(amounts) : null,
    [`${name}_currency_code`]: currencies.join(" + "),
  };
}

type Priced = Pick<ContainerOverviewExportRow, "fees" | "demurrage" | "cost_so_far" | "cost_per_day">;

/** Fees that the terminal reports, charges by the demurrage rules of the account, and what both come to, as numbers. */
export function moneyCells({ fees, demurrage, cost_so_far, cost_per_day }: Priced) {
  const totals = fees.filter(({ type }) => type === "total");
  const isDemurrage = ({ kind }: Priced["demurrage"][number]) => kind === "demurrage";
  return {
    ...money("fees", totals.length > 0 ? totals : fees),
    ...money(
      "terminal_demurrage",
      fees.filter(({ type }) => type === "demurrage"),
    ),
    ...money("rule_demurrage", demurrage.filter(isDemurrage)),
    ...money(
      "rule_detention",
      demurrage.filter((one) => !isDemurrage(one)),
    ),
    ...money("cost_so_far", cost_so_far),
    ...money("cost_per_day", cost_per_day === null ? [] : [cost_per_day]),
  };
}
