import type { ChargeSummary } from "../demurrage/compute-demurrage.ts";
import { type ReportedFee, reportedAmounts, reportedDemurrage } from "../demurrage/reported-charges.ts";
import { type Money, sumMoney } from "../money/money.ts";
import type { ExceptionDetails, ExceptionKind } from "./exception.ts";

/** The kinds of a container that is charged while their condition holds. */
export const runningChargeKinds = ["last_free_day_over", "not_returned", "fee"] as const satisfies ExceptionKind[];

/** Also those of a container that is charged after its last free day. */
export const chargedExceptionKinds = [
  ...runningChargeKinds,
  "last_free_day_today",
  "last_free_day_soon",
] as const satisfies readonly ExceptionKind[];

export type ChargedDetails = Pick<ExceptionDetails, "perDay">;

/** Sums that a container has cost so far, and costs next. */
interface ContainerCost {
  /** One sum for each currency, without what is 0. It stays after the pickup and the return. */
  readonly soFar: readonly Money[];
  /** The price of the next day that is charged. Null: not known, or nothing is charged by time. */
  readonly perDay: Money | null;
}

type Charge = Pick<ChargeSummary, "kind" | "direction" | "amount" | "currencyCode">;

/**
 * Sums what the terminal reported and what the rules charge. The demurrage of an import that the terminal reports takes
 * the place of that by the rules, as in the exceptions of the container (`priceOf`).
 * @param charged exceptions whose conditions hold.
 */
export function containerCost(container: {
  readonly fees: readonly ReportedFee[];
  readonly charges: readonly Charge[];
  readonly charged: readonly ChargedDetails[];
}): ContainerCost {
  const { fees, charges, charged } = container;
  const isReported = reportedDemurrage(fees).length > 0;
  const ruled = charges.filter(({ kind, direction }) => !isReported || kind !== "demurrage" || direction !== "import");
  const ruledAmounts = ruled.map(({ amount, currencyCode }) => ({ amount: Number(amount), currencyCode }));
  return {
    soFar: sumMoney([...reportedAmounts(fees), ...ruledAmounts]),
    perDay: charged.find(({ perDay }) => perDay)?.perDay ?? null,
  };
}
