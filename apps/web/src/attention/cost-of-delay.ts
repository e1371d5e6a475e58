import { type ExceptionKind, type ExceptionStatus, moneyText } from "@svc/domain/exceptions";
import type { Client, ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type AttentionQuery, apiFilterOf, attentionPath } from "./attention-query.ts";

type ExceptionFilter = NonNullable<NonNullable<Parameters<Client["exceptions"]["list"]>[0]>["filter"]>;

/** Exceptions of one request of the API. */
const pageSize = 100;
/** The most urgent ones are summed: the page does not wait for more requests than these. */
const pagesMax = 5;

interface CurrencySum {
  readonly currencyCode: string | null;
  readonly amount: number;
  readonly perDay: number;
  /** Exceptions whose amount of a day is known. */
  readonly rated: number;
}

/** Cost of the containers that are over their last free day. */
export interface CostOfDelay {
  /** Number of containers, each counted once, also where several shipments have it. */
  readonly containers: number;
  /** Summed containers that several tracked shipments have. */
  readonly repeated: number;
  /** Containers whose amounts are summed; fewer than `containers` for a very long list. */
  readonly summed: number;
  /** Summed containers without any amount. */
  readonly unknown: number;
  /** Summed containers whose amounts are not updated, because tracking stopped. */
  readonly outdated: number;
  readonly snoozed: number;
  /** Summed containers whose exception a member has resolved while they still cost. */
  readonly resolved: number;
  readonly sums: readonly CurrencySum[];
  readonly soon: UpcomingCost;
  /** Cost of the containers that are picked up and not returned, and fees besides the charges by time. */
  readonly others: readonly OtherCost[];
}

const otherCostKinds = ["not_returned", "fee"] as const;

interface OtherCost {
  readonly kind: (typeof otherCostKinds)[number];
  readonly containers: number;
  /** Containers whose amounts are summed; fewer for a very long list. */
  readonly summed: number;
  readonly sums: readonly CurrencySum[];
}

/** Cost of the containers whose last free day is today or in the next three days. */
interface UpcomingCost {
  readonly containers: number;
  /** Containers whose prices are summed; fewer for a very long list. */
  readonly summed: number;
  /** The price of the first day after it, where it is known. */
  readonly sums: readonly CurrencySum[];
}

/** Returns the sums by currency, the largest first. */
export function sumByCurrency(exceptions: readonly ExceptionResource[]): CurrencySum[] {
  const sums = new Map<string | null, CurrencySum>();
  const add = (currencyCode: string | null, more: { readonly amount?: number; readonly perDay?: number }): void => {
    const { amount, perDay, rated } = sums.get(currencyCode) ?? { amount: 0, perDay: 0, rated: 0 };
    sums.set(currencyCode, {
      currencyCode,
      amount: amount + (more.amount ?? 0),
      perDay: perDay + (more.perDay ?? 0),
      rated: rated + (more.perDay === undefined ? 0 : 1),
    });
  };
  for (const { attributes } of exceptions) {
    for (const { amount, currency_code: currency } of attributes.amounts) add(currency, { amount });
    const { amount_per_day: perDay } = attributes;
    if (perDay !== null) add(perDay.currency_code, { perDay: perDay.amount });
  }
  return [...sums.values()].sort((one, other) => other.amount - one.amount);
}

/** Rank among the exceptions of a container: those with known amounts first, then open ones. */
const rank = ({ attributes: { amounts, status } }: ExceptionResource): number =>
  (amounts.length > 0 ? 2 : 0) + (status === "open" ? 1 : 0);

/**
 * Exceptions of one container in several tracked shipments, such as that of its bill of lading and one of its own
 * number, are of the same charges. Where tracking stopped, it may have been another voyage.
 */
function byContainer(exceptions: readonly ExceptionResource[]): (readonly [ExceptionResource, number])[] {
  const groups = Map.groupBy(exceptions, ({ id, attributes }) =>
    attributes.amounts_as_of === null ? attributes.number : id,
  );
  return [...groups.values()].map((group) => {
    const counted = group.reduce((one, other) => (rank(other) > rank(one) ? other : one));
    return [counted, group.length] as const;
  });
}

/** Reads the most urgent exceptions of a filter, and the number of all. */
async function readMostUrgent(api: Client, filter: ExceptionFilter) {
  const readPage = (page: number) => api.exceptions.list({ filter, page, pageSize });
  const first = await readPage(1);
  const total = first.meta?.page?.total ?? first.data.length;
  const pages = Math.min(Math.ceil(total / pageSize), pagesMax);
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => readPage(index + 2)));
  const read = [first, ...others].flatMap(({ data }) => data);
  const counted = byContainer(read);
  const exceptions = counted.map(([exception]) => exception);
  return { total, read, counted, exceptions };
}

/** Reads the cost of exceptions whose condition lasts, also resolved ones, with the filters of the queue. */
export async function readCostOfDelay(api: Client, query: AttentionQuery, email: string): Promise<CostOfDelay> {
  const { status: _, resolution: __, ...ofQueue } = apiFilterOf({ ...query, kind: null }, email);
  const readCost = async (kind: readonly ExceptionKind[], filter: ExceptionFilter = { ended: false }) => {
    const found = await readMostUrgent(api, { ...ofQueue, ...filter, kind });
    const containers = found.total - (found.read.length - found.exceptions.length);
    return { ...found, containers, summed: found.exceptions.length, sums: sumByCurrency(found.exceptions) };
  };
  const [{ containers, counted, exceptions, sums }, soon, ...others] = await Promise.all([
    readCost(["last_free_day_over"]),
    readCost(["last_free_day_today", "last_free_day_soon"]),
    ...otherCostKinds.map(async (kind) => ({ ...(await readCost([kind], { status: "open" })), kind })),
  ]);
  const repeated = counted.filter(([, count]) => count > 1).length;
  const unknown = exceptions.filter(({ attributes }) => attributes.amounts.length === 0).length;
  const outdated = exceptions.filter(({ attributes }) => attributes.amounts_as_of !== null).length;
  const withStatus = (status: ExceptionStatus) =>
    exceptions.filter(({ attributes }) => attributes.status === status).length;
  const [snoozed, resolved] = [withStatus("snoozed"), withStatus("resolved")];
  const counts = { containers, repeated, summed: exceptions.length, unknown, outdated, snoozed, resolved };
  return { ...counts, sums, soon, others };
}

const containersText = (count: number): string => `${count} ${count === 1 ? "container" : "containers"}`;

const sumTexts = (sums: readonly CurrencySum[], key: "amount" | "perDay"): string =>
  sums
    .flatMap(({ currencyCode, ...sum }) => (sum[key] > 0 ? moneyText({ amount: sum[key], currencyCode }) : []))
    .join(" + ");

const partNote = (summed: number): Html => html`<span class="muted">Sums of the ${summed} most urgent</span>`;

/** "1,200.00 USD a day (known for 7)"; empty: not known. */
function perDayText(sums: readonly CurrencySum[], key: number): string {
  const perDay = sumTexts(sums, "perDay");
  const rated = sums.reduce((all, sum) => all + sum.rated, 0);
  return perDay && `${perDay} a day${rated < key ? ` (known for ${rated})` : ""}`;
}

const otherCostLabels = { not_returned: "not returned", fee: "with fees" };

/** "55 containers not returned", "9,000.00 USD so far, 4,575.00 USD a day". Null: nothing is charged. */
function otherText({ kind, containers, summed, sums }: OtherCost, query: AttentionQuery): Html | null {
  const amounts = sumTexts(sums, "amount");
  const price = [amounts && `${amounts} so far`, perDayText(sums, summed)].filter(Boolean).join(", ");
  if (price === "") return null;
  return html`<span><a href="${attentionPath(query, { status: "open", kind })}">${containersText(containers)} ${
    otherCostLabels[kind]
  }</a> ${price}</span>${summed < containers && partNote(summed)}`;
}

/** "12 containers reach it within 3 days", "then 1,200.00 USD a day". Null: none does. */
function soonText({ containers, summed, sums }: UpcomingCost): Html | null {
  if (containers === 0) return null;
  const perDay = perDayText(sums, summed);
  const verb = containers === 1 ? "reaches" : "reach";
  const price = perDay !== "" && html`<span>then ${perDay}</span>${summed < containers && partNote(summed)}`;
  return html`<span>${containersText(containers)} ${verb} the last free day within 3 days</span>${price}`;
}

/**
 * "22,000.00 USD + 130.00 EUR" as a figure, "demurrage so far, 1,150.00 USD a day (known for 7)", and below it "8
 * containers over the last free day". Null: none is.
 */
export function costLine(cost: CostOfDelay, query: AttentionQuery): Html | null {
  const { containers, repeated, summed, unknown, outdated, snoozed, resolved, sums } = cost;
  const others = [soonText(cost.soon), ...cost.others.map((one) => otherText(one, query))].filter(
    (one) => one !== null,
  );
  if (containers === 0) return others.length > 0 ? html`<div class="cost-line">${others}</div>` : null;
  const pathOf = (status: ExceptionStatus) => attentionPath(query, { status, kind: "last_free_day_over" });
  const count = containersText(containers);
  const amounts = sumTexts(sums, "amount");
  const perDayCost = perDayText(sums, summed - unknown);
  const isPriced = amounts !== "" || perDayCost !== "";
  return html`
    <div class="cost-line">
      ${
        isPriced &&
        html`<p>${
          amounts !== "" && html`<strong class="figure">${amounts}</strong> demurrage so far${perDayCost && ", "}`
        }${perDayCost}</p>`
      }
      <a href="${pathOf("open")}">${count} over the last free day</a>
      ${!isPriced && html`<span class="muted">No fees known</span>`}
      ${isPriced && unknown > 0 && html`<span class="muted">No fees known of ${unknown}</span>`}
      ${repeated > 0 && html`<span class="muted">${repeated} tracked with several shipments, counted once</span>`}
      ${outdated > 0 && html`<span class="muted">${outdated} not updated since tracking stopped</span>`}
      ${snoozed > 0 && html`<a class="muted" href="${pathOf("snoozed")}">${snoozed} snoozed</a>`}
      ${resolved > 0 && html`<a class="muted" href="${pathOf("resolved")}">${resolved} resolved</a>`}
      ${summed < containers && partNote(summed)}
      ${others}</div>`;
}
