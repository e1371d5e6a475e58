import { sumMoney } from "../demurrage/reported-charges.ts";
import type { ExceptionDetails, ExceptionKind, Money } from "./exception.ts";

/** The kinds of a container whose charges run while their condition holds, or begin after its last free day. */
export const chargedExceptionKinds = [
  ...(["last_free_day_over", "last_free_day_today", "last_free_day_soon"] as const),
  ...(["fee", "not_returned"] as const),
] satisfies ExceptionKind[];

export type ChargedDetails = Pick<ExceptionDetails, "amounts" | "perDay">;

/** Cost of a container that waits for its pickup or, once picked up, for its return. */
interface RunningCost {
  /** One sum for each currency, without what is 0. */
  readonly soFar: readonly Money[];
  /** The price of the next day that is charged. Null: not known, or nothing is charged by time. */
  readonly perDay: Money | null;
}

/** The sum of the charges that the exceptions of a container have, and the price of its next day. */
export const runningCost = (charged: readonly ChargedDetails[]): RunningCost => ({
  soFar: sumMoney(charged.flatMap(({ amounts = [] }) => amounts)),
  perDay: charged.find(({ perDay }) => perDay)?.perDay ?? null,
});
