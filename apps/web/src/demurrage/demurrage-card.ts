import { demurrageKindLabels, reportedDemurrage } from "@svc/domain/demurrage";
import { type Money, moneyText } from "@svc/domain/money";
import type { ContainerDemurrageResource } from "@svc/sdk";
import { calendarDayText, type Html, html, listTable, noValue } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { ContainerRecord, ShipmentRecord } from "../shipments/api-records.ts";
import type { Costs } from "../shipments/container-costs.ts";
import { asOfStop, feeLabels } from "../shipments/container-facts.ts";
import { perDayText } from "../shipments/key-figures.ts";

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

function days({ kind, direction, days, currency_code: currency }: Charge): Html | null {
  if (days.length === 0) return null;
  return html`
    <details id="days-of-${kind}-${direction}"><summary>Day by day (${days.length})</summary>
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
    }</p>`;
}

const isComparable = ({ kind, direction }: Charge): boolean => kind === "demurrage" && direction === "import";

const sums = (amounts: readonly Money[]): Html | string => amounts.map(moneyText).join(" + ") || noValue;

const ruledSums = (charges: readonly Charge[]): Html | string =>
  sums(charges.map(({ amount, currency_code: currencyCode }) => ({ amount: Number(amount), currencyCode })));

/** What is charged by type, by whom it is known. Terminals report demurrage for import only. */
function typeTable(charges: readonly Charge[], fees: ContainerRecord["feesAtPodTerminal"]): Html {
  const demurrage = reportedDemurrage(fees);
  const compared = charges.filter(isComparable);
  const others = charges.filter((charge) => !isComparable(charge));
  const rows: readonly (readonly [string, Html | string, Html | string])[] = [
    ...(demurrage.length + compared.length > 0
      ? [[demurrageKindLabels.demurrage, sums(demurrage), ruledSums(compared)] as const]
      : []),
    ...others.map(
      (charge) =>
        [
          `${demurrageKindLabels[charge.kind]}${charge.direction === "export" ? ", export" : ""}`,
          noValue,
          ruledSums([charge]),
        ] as const,
    ),
    ...fees.flatMap(({ type, ...money }) => {
      const label = feeLabels[type];
      return label === undefined ? [] : [[label, moneyText(money), noValue] as const];
    }),
  ];
  const amount = (label: string) => html`<th class="amount" scope="col">${label}</th>`;
  return listTable({
    caption: "Charges by type",
    columns: ["Type", amount("By the terminal"), ...(charges.length > 0 ? [amount("By your rule")] : [])],
    rows: rows.map(
      ([type, terminal, rule]) => html`
    <tr><th scope="row" data-label="Type">${type}</th>
      <td class="amount" data-label="By the terminal">${terminal}</td>
      ${charges.length > 0 && html`<td class="amount" data-label="By your rule">${rule}</td>`}</tr>`,
    ),
  });
}

/** By how much the terminal and the rules differ; null: they agree, or only one of them charges. */
function difference(charges: readonly Charge[], fees: ContainerRecord["feesAtPodTerminal"]): Html | null {
  const texts = reportedDemurrage(fees).flatMap(({ amount, currencyCode }) => {
    const same = charges.filter((charge) => isComparable(charge) && charge.currency_code === currencyCode);
    const more = Math.round((amount - same.reduce((sum, charge) => sum + Number(charge.amount), 0)) * 1_000) / 1_000;
    if (same.length === 0 || more === 0) return [];
    const much = moneyText({ amount: Math.abs(more), currencyCode });
    const rules = [...new Set(same.map(({ rule_name: name }) => name))].join(", ");
    return [html`The terminal charges <strong>${much} ${more < 0 ? "less" : "more"}</strong> than <em>${rules}</em>. `];
  });
  return texts.length === 0 ? null : noticeBanner("neutral", texts);
}

export interface ChargesOptions {
  readonly container: ContainerRecord;
  readonly shipment: ShipmentRecord;
  readonly costs: Costs;
}

/** What a container costs: so far, by type, and how the demurrage rules count. Null: no free time runs yet. */
export function demurrageCard(
  caller: Caller,
  { charges: ruled }: Attributes,
  { container, shipment, costs }: ChargesOptions,
): Html | null {
  const { feesAtPodTerminal: fees } = container;
  if (fees.length === 0 && ruled.every(({ status }) => status === "waiting")) return null;
  return html`
    <section class="card charges" id="demurrage"><h2>Charges</h2>
      <p><strong class="big">${costs.soFar.map(moneyText).join(" + ") || "Nothing charged so far"}</strong>
        ${asOfStop(container, shipment) ?? perDayText(costs)}</p>
      ${typeTable(ruled, fees)}
      ${difference(ruled, fees)}
      ${
        ruled.length > 0 &&
        html`<details id="rule-counts"><summary>How the rule counts</summary>
        ${ruled.map((charge) => chargeBlock(charge, may(caller, "edit_records")))}</details>`
      }
      ${ruled.map(days)}
    </section>`;
}
