import { type ExceptionKind, type ExceptionStatus, moneyText } from "@svc/domain/exceptions";
import type { Client, ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { menu } from "../pages/menu.ts";
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

/** Kinds of exceptions whose amounts are charged, with the name of the charge. */
const charges = { last_free_day_over: "Demurrage", not_returned: "Detention", fee: "Fees" } as const;

interface Cost {
  /** Number of containers, each counted once, also where several shipments have it. */
  readonly containers: number;
  /** Containers whose amounts are summed; fewer than `containers` for a very long list. */
  readonly summed: number;
  /** Summed containers without any amount. */
  readonly unknown: number;
  readonly sums: readonly CurrencySum[];
}

interface Charge extends Cost {
  readonly kind: keyof typeof charges;
}

/** What containers cost whose last free day passed, that are not returned, or that have other fees. */
export interface CostOfDelay {
  readonly charges: readonly Charge[];
  /** Cost of the containers whose last free day is today or in the next three days: that of the first day after it. */
  readonly soon: Cost;
  /** Summed containers over their last free day that several tracked shipments have. */
  readonly repeated: number;
  /** Those whose amounts are not updated, because tracking stopped. */
  readonly outdated: number;
  readonly snoozed: number;
  /** Those whose exception a member has resolved while they still cost. */
  readonly resolved: number;
}

/** Adds up by currency, the largest first. */
function addUp(parts: readonly CurrencySum[]): CurrencySum[] {
  const sums = new Map<string | null, CurrencySum>();
  for (const { currencyCode, ...part } of parts) {
    const { amount, perDay, rated } = sums.get(currencyCode) ?? { amount: 0, perDay: 0, rated: 0 };
    const sum = { amount: amount + part.amount, perDay: perDay + part.perDay, rated: rated + part.rated };
    sums.set(currencyCode, { currencyCode, ...sum });
  }
  return [...sums.values()].sort((one, other) => other.amount - one.amount);
}

/** Returns the sums by currency, the largest first. */
export const sumByCurrency = (exceptions: readonly ExceptionResource[]): CurrencySum[] =>
  addUp(
    exceptions.flatMap(({ attributes: { amounts, amount_per_day: perDay } }) => [
      ...amounts.map(({ amount, currency_code: currencyCode }) => ({ currencyCode, amount, perDay: 0, rated: 0 })),
      ...(perDay ? [{ currencyCode: perDay.currency_code, amount: 0, perDay: perDay.amount, rated: 1 }] : []),
    ]),
  );

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
  const readCost = async (kind: readonly ExceptionKind[], filter: ExceptionFilter) => {
    const { total, read, counted, exceptions } = await readMostUrgent(api, { ...ofQueue, ...filter, kind });
    const unknown = exceptions.filter(({ attributes }) => attributes.amounts.length === 0).length;
    const containers = total - (read.length - exceptions.length);
    return { containers, summed: exceptions.length, unknown, sums: sumByCurrency(exceptions), counted, exceptions };
  };
  const [over, soon, ...others] = await Promise.all([
    readCost(["last_free_day_over"], { ended: false }),
    readCost(["last_free_day_today", "last_free_day_soon"], { ended: false }),
    ...(["not_returned", "fee"] as const).map(async (kind) => ({
      ...(await readCost([kind], { status: "open" })),
      kind,
    })),
  ]);
  const withStatus = (status: ExceptionStatus) =>
    over.exceptions.filter(({ attributes }) => attributes.status === status).length;
  return {
    charges: [{ ...over, kind: "last_free_day_over" }, ...others],
    soon,
    repeated: over.counted.filter(([, count]) => count > 1).length,
    outdated: over.exceptions.filter(({ attributes }) => attributes.amounts_as_of !== null).length,
    snoozed: withStatus("snoozed"),
    resolved: withStatus("resolved"),
  };
}

const containersText = (count: number): string => `${count} ${count === 1 ? "container" : "containers"}`;

const sumTexts = (sums: readonly CurrencySum[], key: "amount" | "perDay"): string =>
  sums
    .flatMap(({ currencyCode, ...sum }) => (sum[key] > 0 ? moneyText({ amount: sum[key], currencyCode }) : []))
    .join(" + ");

/** "1,200.00 USD a day" in bold, "(known for 7)" where it is not known for all. Null: not known. */
function perDayText(sums: readonly CurrencySum[], among: number): Html | null {
  const perDay = sumTexts(sums, "perDay");
  const rated = sums.reduce((all, sum) => all + sum.rated, 0);
  return perDay === ""
    ? null
    : html`<strong>${perDay} a day</strong>${rated > 0 && rated < among && ` (known for ${rated})`}`;
}

/** "Demurrage 1,950.00 USD (2 containers)", which filters the queue. */
function chargeLink({ kind, containers, summed, unknown, sums }: Charge, query: AttentionQuery): Html {
  const amounts = sumTexts(sums, "amount") || "not known";
  const without = amounts !== "not known" && unknown > 0 ? `, ${unknown} without a known charge` : "";
  const most = summed < containers ? `, sum of the ${summed} most urgent` : "";
  return html`<a href="${attentionPath(query, { status: "open", kind })}">${charges[kind]} ${amounts}
    (${containersText(containers)}${without}${most})</a>`;
}

/** "3 containers reach the last free day within 3 days, then 450.00 USD a day more". Null: none does. */
function soonText({ containers, summed, sums }: Cost): Html | null {
  if (containers === 0) return null;
  const perDay = perDayText(sums, summed);
  const most = summed < containers && `, sum of the ${summed} most urgent`;
  return html`<p class="soon">${containersText(containers)} ${containers === 1 ? "reaches" : "reach"} the last free day
    within 3 days${perDay && html`, then ${perDay} more${most}`}</p>`;
}

/** What the sum of demurrage contains besides open exceptions, behind "i". Null: nothing. */
function costNotes({ repeated, outdated, snoozed, resolved }: CostOfDelay, query: AttentionQuery): Html | null {
  if (repeated + outdated + snoozed + resolved === 0) return null;
  const pathOf = (status: ExceptionStatus) => attentionPath(query, { status, kind: "last_free_day_over" });
  return menu({
    id: "cost-notes",
    label: "i",
    ariaLabel: "What demurrage contains",
    className: "row-menu",
    content: html`
      <div class="menu">
        ${repeated > 0 && html`<p>${repeated} tracked with several shipments, counted once</p>`}
        ${outdated > 0 && html`<p>${outdated} not updated since tracking stopped</p>`}
        ${snoozed > 0 && html`<p><a href="${pathOf("snoozed")}">${snoozed} snoozed</a></p>`}
        ${resolved > 0 && html`<p><a href="${pathOf("resolved")}">${resolved} resolved</a></p>`}
      </div>`,
  });
}

/**
 * "2,335.00 USD" as a figure, "charges so far · growing by 300.00 USD a day", below it its parts, and what comes next.
 * Null: nothing is charged, and nothing will be soon.
 */
export function costLine(cost: CostOfDelay, query: AttentionQuery): Html | null {
  const found = cost.charges.filter(({ containers }) => containers > 0);
  const soon = soonText(cost.soon);
  if (found.length === 0 && soon === null) return null;
  const sums = addUp(found.flatMap((charge) => charge.sums));
  const growing = found.filter(({ kind }) => kind !== "fee");
  const priced = growing.reduce((all, { summed, unknown }) => all + summed - unknown, 0);
  const [amounts, perDay] = [sumTexts(sums, "amount"), perDayText(sums, priced)];
  const total = amounts === "" ? html`<span class="no-charges">No charges</span>` : html`<strong>${amounts}</strong>`;
  return html`
    <div class="cost-line">
      <p>${total} <span class="muted">${amounts !== "" && "charges so far"}${
        perDay && html` · growing by ${perDay}`
      }</span></p>
      ${
        found.length > 0 &&
        html`<div class="parts">${found.map((charge) => chargeLink(charge, query))} ${costNotes(cost, query)}</div>`
      }
      ${soon}
    </div>`;
}
