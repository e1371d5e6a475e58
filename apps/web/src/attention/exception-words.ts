import type { ExceptionKind, TrackingException } from "@svc/domain";
import { eventWords } from "../shipments/words.ts";

const dayCount = (days: number | null): string => (days === 1 ? "1 day" : `${days ?? 0} days`);

const money = ({ amounts }: TrackingException): string =>
  amounts.map(({ amount, currencyCode }) => `${amount.toFixed(2)} ${currencyCode ?? ""}`.trim()).join(" + ");

const words: Readonly<Record<ExceptionKind, (exception: TrackingException) => string>> = {
  last_free_day_over: (one) =>
    `Last free day was ${dayCount(one.days)} ago${one.amounts.length > 0 ? `, ${money(one)} so far` : ""}`,
  last_free_day_soon: ({ days }) => (days === 0 ? "Last free day is today" : `Last free day in ${dayCount(days)}`),
  hold: ({ holds }) => `On hold: ${holds.map((name) => eventWords(name).toLowerCase()).join(", ")}`,
  fee: (one) => `Fees: ${money(one)}`,
  not_returned: ({ days }) => `Picked up ${dayCount(days)} ago, not returned`,
  eta_delay: ({ days }) => `${dayCount(days)} later than first estimated`,
  carrier_silent: () => "No carrier updates for unusually long",
};

/** "Last free day was 2 days ago, 450.00 USD so far". */
export const exceptionWords = (exception: TrackingException): string => words[exception.kind](exception);
