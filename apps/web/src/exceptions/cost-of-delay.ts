import { countText, plural } from "@svc/domain";
import { addCurrencySums, type CurrencySum, type ExceptionStatus, runningChargeKinds } from "@svc/domain/exceptions";
import { moneyText } from "@svc/domain/money";
import type { Client, ExceptionChargeResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { menu } from "../pages/menu.ts";
import { type AttentionQuery, apiFilterOf, attentionPath } from "./attention-query.ts";

/** Kinds of exceptions whose amounts are charged, with the name of the charge. */
const charges: Readonly<Record<(typeof runningChargeKinds)[number], string>> = {
  last_free_day_over: "Demurrage",
  not_returned: "Detention",
  fee: "Other fees",
};

type Sums = ExceptionChargeResource["attributes"];

interface Charge extends Sums {
  readonly kind: keyof typeof charges;
}

/** Kinds of exceptions before charges begin, as parts of "within 3 days". */
const soonKinds = { last_free_day_today: "today", last_free_day_soon: "later" } as const;

interface Soon extends Sums {
  readonly kind: keyof typeof soonKinds;
}

/** What containers cost whose last free day passed, that are not returned, or that have other fees. */
export interface CostOfDelay {
  readonly charges: readonly Charge[];
  /** Of containers whose last free day is today or in the next three days, with the price of the first day after it. */
  readonly soon: readonly Soon[];
}

/** Reads the cost of exceptions whose condition lasts, also snoozed and resolved, with the filters of the queue. */
export async function readCostOfDelay(api: Client, query: AttentionQuery, email: string): Promise<CostOfDelay> {
  const filter = { ...apiFilterOf({ ...query, kind: null }, email), status: undefined, resolution: undefined };
  const { data } = await api.exceptions.charges("kind", filter);
  const sums = data.map(({ attributes }) => attributes);
  return {
    charges: runningChargeKinds.flatMap((kind) =>
      sums.filter(({ value }) => value === kind).map((one) => ({ ...one, kind })),
    ),
    soon: (Object.keys(soonKinds) as Soon["kind"][]).flatMap((kind) =>
      sums.filter(({ value, containers }) => value === kind && containers > 0).map((one) => ({ ...one, kind })),
    ),
  };
}

const currencySums = ({ sums }: Sums): CurrencySum[] =>
  sums.map(({ currency_code: currencyCode, amount_per_day: perDay, ...sum }) => ({ currencyCode, perDay, ...sum }));

const addSums = (parts: readonly Sums[]): CurrencySum[] => addCurrencySums(parts.flatMap(currencySums));

const countContainers = (parts: readonly Sums[]): number => parts.reduce((all, { containers }) => all + containers, 0);

const sumTexts = (sums: readonly CurrencySum[], key: "amount" | "perDay"): string =>
  sums
    .flatMap(({ currencyCode, ...sum }) => (sum[key] > 0 ? moneyText({ amount: sum[key], currencyCode }) : []))
    .join(" + ");

const countRated = (parts: readonly Sums[]): number => addSums(parts).reduce((all, { rated }) => all + rated, 0);

/** "1,200.00 USD per day" in bold, "(known for 7)" where it is not known for all. Null: not known. */
function perDayText(sums: readonly CurrencySum[], known: { readonly rated: number; readonly among: number }) {
  const perDay = sumTexts(sums, "perDay");
  const { rated, among } = known;
  return perDay === "" ? null : html`<strong>${perDay} per day</strong>${rated < among && ` (known for ${rated})`}`;
}

/** "Other fees 385.00 USD (2 containers, 1 resolved)", which filters the queue by what is open. */
function chargeLink(charge: Charge, query: AttentionQuery): Html {
  const { kind, containers, unpriced, snoozed, resolved } = charge;
  const handled = `${snoozed > 0 ? `, ${snoozed} snoozed` : ""}${resolved > 0 ? `, ${resolved} resolved` : ""}`;
  const amounts = sumTexts(currencySums(charge), "amount") || "not known";
  const without = amounts !== "not known" && unpriced > 0 ? `, ${unpriced} without a known charge` : "";
  return html`<a href="${attentionPath(query, { status: "open", kind })}">${charges[kind]} ${amounts}
    (${countText(containers, "container")}${handled}${without})</a>`;
}

/** "3 containers reach the last free day within 3 days, then 450.00 USD per day more". Null: none does. */
function soonText(soon: CostOfDelay["soon"], query: AttentionQuery): Html | null {
  const containers = countContainers(soon);
  if (containers === 0) return null;
  const perDay = perDayText(addSums(soon), { rated: countRated(soon), among: containers });
  const reaching = `${countText(containers, "container")} ${plural(containers, "reaches", "reach")}`;
  const link = (kind: Soon["kind"], text: string) =>
    html`<a href="${attentionPath(query, { status: "open", kind })}">${text}</a>`;
  const text = `${reaching} the last free day within 3 days`;
  const [first, ...others] = soon;
  const linked =
    first && others.length === 0
      ? link(first.kind, text)
      : html`${text} (${soon.map((one, at) => html`${at > 0 && ", "}${link(one.kind, `${one.containers} ${soonKinds[one.kind]}`)}`)})`;
  return html`<p class="soon">${linked}${perDay && html`, then ${perDay} more`}</p>`;
}

/** What a sum contains besides open exceptions, a paragraph each. */
function chargeNotes({ kind, repeated, outdated, snoozed, resolved }: Charge, query: AttentionQuery): Html[] {
  const pathOf = (status: ExceptionStatus) => attentionPath(query, { status, kind });
  const notes = [
    repeated > 0 && html`${repeated} tracked with several shipments, counted once`,
    outdated > 0 && html`${outdated} not updated since tracking stopped`,
    snoozed > 0 && html`<a href="${pathOf("snoozed")}">${snoozed} snoozed</a>`,
    resolved > 0 && html`<a href="${pathOf("resolved")}">${resolved} resolved</a>`,
  ];
  return notes.flatMap((note) => (note === false ? [] : html`<p>${charges[kind]}: ${note}</p>`));
}

/** What the sums contain besides open exceptions, behind "i". Null: nothing. */
function costNotes(cost: CostOfDelay, query: AttentionQuery): Html | null {
  const notes = cost.charges.flatMap((charge) => chargeNotes(charge, query));
  if (notes.length === 0) return null;
  return menu({
    id: "cost-notes",
    label: "i",
    ariaLabel: "What the charges contain",
    className: "row-menu",
    content: html`<div class="menu">${notes}</div>`,
  });
}

/**
 * "2,335.00 USD" as a figure, "charges · growing by 300.00 USD per day", below it its parts, and what comes next.
 * Null: nothing is charged, and nothing will be soon.
 */
export function costLine(cost: CostOfDelay, query: AttentionQuery): Html | null {
  const soon = soonText(cost.soon, query);
  if (cost.charges.length === 0 && soon === null) return null;
  // Most fees are charged once, so that an unknown price of a day says nothing of them.
  const growing = cost.charges.filter(({ kind }) => kind !== "fee");
  const among = growing.reduce((all, { containers, unpriced, outdated }) => all + containers - unpriced - outdated, 0);
  const sums = addSums(cost.charges);
  const [amounts, perDay] = [sumTexts(sums, "amount"), perDayText(sums, { rated: countRated(growing), among })];
  const unknown = cost.charges.length === 0 ? "No charges" : "Charges not known";
  const total = amounts === "" ? html`<span class="no-charges">${unknown}</span>` : html`<strong>${amounts}</strong>`;
  return html`
    <div class="cost-line">
      <p>${total} <span class="muted">${amounts !== "" && "charges"}${
        perDay && html` · growing by ${perDay}`
      }</span></p>
      ${
        cost.charges.length > 0 &&
        html`<div class="parts">${cost.charges.map((charge) => chargeLink(charge, query))} ${costNotes(cost, query)}</div>`
      }
      ${soon}
    </div>`;
}
