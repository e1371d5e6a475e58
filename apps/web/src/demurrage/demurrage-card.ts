import { demurrageKindLabels, reportedDemurrage } from "@svc/domain/demurrage";
import { moneyText } from "@svc/domain/exceptions";
import type { ContainerDemurrageResource } from "@svc/sdk";
import { calendarDayText, type Html, html, listTable, noValue } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import type { ContainerRecord } from "../shipments/api-records.ts";
import { isPickedUp } from "../shipments/last-free-day.ts";

type Attributes = ContainerDemurrageResource["attributes"];
type Charge = Attributes["charges"][number];

const dayText = (day: string): Html => html`<time datetime="${day}">${calendarDayText(day)}</time>`;

const statusLabels: Readonly<Record<Charge["status"], string>> = {
  waiting: "Not started",
  free: "Free time",
  charged: "By the rule, so far",
  ended: "Ended",
  stopped: "Tracking stopped",
};

const reasonLabels = { free_day: "Free day", weekend: "Weekend", holiday: "Holiday" } as const;

/** An amount of the API, which is decimal text. */
const amountText = (amount: string, currencyCode: string): string =>
  moneyText({ amount: Number(amount), currencyCode });

function dayRow({ date, free, number, amount }: Charge["days"][number], currency: string): Html {
  const label = free === null ? "Charged day" : reasonLabels[free];
  const charged = free === null ? amountText(amount, currency) : noValue;
  return html`
    <tr><th scope="row" data-label="Day">${dayText(date)}</th>
      <td data-label="Counted as">${label}${number !== null && ` ${number}`}</td>
      <td class="amount" data-label="Amount">${charged}</td></tr>`;
}

function days({ kind, days, currency_code: currency }: Charge): Html | null {
  if (days.length === 0) return null;
  return html`
    <details><summary>Day by day (${days.length})</summary>
      ${listTable({
        caption: `Days of ${demurrageKindLabels[kind].toLowerCase()}`,
        columns: ["Day", "Counted as", html`<th class="amount" scope="col">Amount</th>`],
        rows: days.map((one) => dayRow(one, currency)),
      })}
    </details>`;
}

function chargeBlock(charge: Charge, mayEdit: boolean): Html {
  const { kind, direction, status, amount, currency_code: currency, last_free_day: lastFreeDay } = charge;
  const className = status === "charged" ? "late" : "muted";
  return html`
    <h3>${demurrageKindLabels[kind]}, ${direction}</h3>
    <p>${status !== "waiting" && html`<strong>${amountText(amount, currency)}</strong> `}
      <span class="${className}">${statusLabels[status]}</span>
      ${lastFreeDay !== null && html`<br>Last free day by the rule: ${dayText(lastFreeDay)}`}</p>
    <p>${charge.explanation}</p>
    <p class="muted">Rule: ${
      mayEdit ? html`<a href="/account/demurrage/${charge.rule_id}/edit">${charge.rule_name}</a>` : charge.rule_name
    }</p>
    ${days(charge)}`;
}

function reported(attributes: Attributes): Html | null {
  const all = [
    ["the terminal", attributes.last_free_day_terminal],
    ["the carrier", attributes.last_free_day_line],
    ["the rail carrier", attributes.last_free_day_rail],
  ] as const;
  const known = all.flatMap(([who, day]) => (day === null ? [] : html`<li>by ${who}: ${dayText(day)}</li>`));
  if (known.length === 0) return null;
  return html`<p>Last free day as reported</p><ul class="plain">${known}</ul>`;
}

type DemurrageContainer = Pick<ContainerRecord, "feesAtPodTerminal" | "podFullOutAt" | "finalDestinationFullOutAt">;

/** What the terminal reports beside the rules; null: it reports no demurrage. */
function comparison({ charges }: Attributes, container: DemurrageContainer): Html | null {
  const reports = reportedDemurrage(container.feesAtPodTerminal);
  if (reports.length === 0) return null;
  const importCharges = charges.filter(({ kind, direction }) => kind === "demurrage" && direction === "import");
  const compared = reports.map(({ amount, currencyCode }) => {
    const same = importCharges.filter(({ currency_code: currency }) => currency === currencyCode);
    const more = Math.round((amount - same.reduce((sum, charge) => sum + Number(charge.amount), 0)) * 1_000) / 1_000;
    const difference = moneyText({ amount: Math.abs(more), currencyCode });
    const than =
      more === 0
        ? "as much as the rules"
        : html`<strong>${difference} ${more < 0 ? "less" : "more"}</strong> than the rules`;
    const charged = html`<strong>${moneyText({ amount, currencyCode })}</strong>`;
    return html`The terminal charges ${charged} so far${same.length > 0 && html`, ${than}`}. `;
  });
  return html`<p>${compared}${!isPickedUp(container) && "Attention and lists count what it reports."}</p>`;
}

/** Renders the charges of the demurrage rules for a container, with each day; null: no rule applies. */
export function demurrageCard(caller: Caller, attributes: Attributes, container: DemurrageContainer): Html | null {
  if (attributes.charges.length === 0) return null;
  return html`
    <section class="card" id="demurrage"><h2>Demurrage and detention</h2>
      ${comparison(attributes, container)}
      ${attributes.charges.map((charge) => chargeBlock(charge, may(caller, "edit_records")))}
      ${reported(attributes)}
    </section>`;
}
