import { type ExceptionKind, moneyText } from "@svc/domain/exceptions";
import type { ExceptionResource } from "@svc/sdk";
import { calendarDayText, type Html, html } from "@svc/views";
import { sumByCurrency } from "./cost-of-delay.ts";

/** Kinds before the last free day: nothing is charged yet. */
export const chargedLater: ReadonlySet<ExceptionKind> = new Set(["last_free_day_today", "last_free_day_soon"]);

/**
 * "7,200.00 USD" over "1,800.00 a day", the sums of exceptions of one kind. Null: no fees are known. Tracking stops for
 * the whole shipment.
 */
export function exceptionCost(items: readonly [ExceptionResource, ...ExceptionResource[]]): Html | null {
  const { amounts_as_of: day, kind } = items[0].attributes;
  const charged = sumByCurrency(items).filter(({ amount }) => amount > 0);
  const amounts = charged.map((sum) => html`<span class="below">${moneyText(sum)}</span>`);
  const perDay = sumByCurrency(items.filter(({ attributes }) => attributes.ended_at === null)).filter(
    (sum) => sum.perDay > 0,
  );
  const days = perDay.map(({ perDay: amount, currencyCode }) => {
    // The currency of the only sum is not repeated.
    const isCurrencyOfSum = charged.length === 1 && charged[0]?.currencyCode === currencyCode;
    const price = moneyText({ amount, currencyCode: isCurrencyOfSum ? null : currencyCode });
    return html`<span class="below muted">${chargedLater.has(kind) && "then "}${price} a day</span>`;
  });
  if (amounts.length + days.length === 0) return null;
  return html`${amounts} ${day && html`<span class="below muted">as of ${calendarDayText(day)}</span>`} ${days}`;
}
