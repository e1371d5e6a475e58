import { type CurrencySum, type ExceptionKind, sumByCurrency } from "@svc/domain/exceptions";
import { moneyText } from "@svc/domain/money";
import type { ExceptionResource } from "@svc/sdk";
import { calendarDayText, type Html, html } from "@svc/views";

/** Kinds before the last free day: nothing is charged yet. */
export const chargedLater: ReadonlySet<ExceptionKind> = new Set(["last_free_day_today", "last_free_day_soon"]);

/** Sums of exceptions by currency, the largest amount first. */
export const sumExceptions = (items: readonly ExceptionResource[]): CurrencySum[] =>
  sumByCurrency(
    items.map(({ attributes: { amounts, amount_per_day: perDay } }) => ({
      amounts: amounts.map(({ amount, currency_code: currencyCode }) => ({ amount, currencyCode })),
      perDay: perDay && { amount: perDay.amount, currencyCode: perDay.currency_code },
    })),
  );

/**
 * "7,200.00 USD" over "1,800.00 per day", the sums of exceptions of one kind. Null: no fees are known. Tracking stops
 * for the whole shipment.
 */
export function exceptionCost(items: readonly [ExceptionResource, ...ExceptionResource[]]): Html | null {
  const { amounts_as_of: day, kind } = items[0].attributes;
  const charged = sumExceptions(items).filter(({ amount }) => amount > 0);
  const amounts = charged.map((sum) => html`<span class="below">${moneyText(sum)}</span>`);
  const perDay = sumExceptions(items.filter(({ attributes }) => attributes.ended_at === null)).filter(
    (sum) => sum.perDay > 0,
  );
  const days = perDay.map(({ perDay: amount, currencyCode }) => {
    // The currency of the only sum is not repeated.
    const isCurrencyOfSum = charged.length === 1 && charged[0]?.currencyCode === currencyCode;
    const price = moneyText({ amount, currencyCode: isCurrencyOfSum ? null : currencyCode });
    return html`<span class="below muted">${chargedLater.has(kind) && "then "}${price} per day</span>`;
  });
  if (amounts.length + days.length === 0) return null;
  return html`${amounts} ${day && html`<span class="below muted">as of ${calendarDayText(day)}</span>`} ${days}`;
}
