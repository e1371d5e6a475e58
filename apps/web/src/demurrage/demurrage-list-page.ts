import { countingStartLabels, demurrageKindLabels } from "@svc/domain/demurrage";
import type { DemurrageRuleResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import { may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import type { SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { pageLinks } from "../pages/page-links.ts";
import { sameFromApi } from "../pages/same-from-api.ts";

const path = "/account/demurrage";

type Attributes = DemurrageRuleResource["attributes"];

/** "MAEU in USLAX at Y258, 40 ft reefer", or "Every container". */
function scopeText(rule: Attributes): string {
  const lengths = rule.equipment_lengths.map((length) => `${length} ft`).join(", ");
  const equipment = [lengths, rule.equipment_types.join(", ")].filter((part) => part !== "").join(" ");
  const place = [
    rule.carrier_scac,
    rule.port_locode && `in ${rule.port_locode}`,
    rule.terminal_code && `at ${rule.terminal_code}`,
  ];
  const words = [place.filter(Boolean).join(" "), equipment].filter((part) => part !== "").join(", ");
  return words === "" ? "Every container" : words;
}

function daysText(rule: Attributes): string {
  const days = rule.free_days === 1 ? "1 free day" : `${rule.free_days} free days`;
  const kind = rule.free_day_calendar === "working_days" ? " (working days)" : "";
  const offset = rule.start_offset_days === 0 ? "from" : `${rule.start_offset_days} d after`;
  return `${days}${kind}, ${offset} ${countingStartLabels[rule.counting_start].toLowerCase()}`;
}

const tierText = (rule: Attributes): string =>
  rule.tiers
    .map(({ from_day: day, amount_per_day: amount }) => `${amount} ${rule.currency_code} from day ${day}`)
    .join(", ");

function row({ id, attributes: rule }: DemurrageRuleResource, mayEdit: boolean): Html {
  const { valid_from: from, valid_until: until } = rule;
  const validity = from === null && until === null ? "Always" : `${from ?? "…"} to ${until ?? "…"}`;
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayEdit ? html`<a class="row-link" href="${path}/${id}/edit">${rule.name}</a>` : rule.name
      }</th>
      <td data-label="Kind">${demurrageKindLabels[rule.kind]}, ${rule.direction}</td>
      <td data-label="Applies to">${scopeText(rule)}</td>
      <td data-label="Valid">${validity}</td>
      <td data-label="Days">${daysText(rule)}</td>
      <td data-label="Per day">${tierText(rule)}</td>
      <td>${mayEdit && html`<a href="${path}/${id}/delete" aria-label="Delete ${rule.name}">Delete</a>`}</td>
    </tr>`;
}

/** `GET /account/demurrage`. */
export function demurrageListPage(options: {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly rules: readonly DemurrageRuleResource[];
  readonly number: number;
  readonly hasMore: boolean;
  readonly notice: string | undefined;
}): Html {
  const { caller, apiBaseUrl, rules, number, hasMore, notice } = options;
  const mayEdit = may(caller, "edit_records");
  const columns = ["Name", "Kind", "Applies to", "Valid", "Days", "Per day", actionsColumn];
  const rows = rules.map((rule) => row(rule, mayEdit));
  const table = listTable({ caption: "Demurrage rules", columns, rows });
  const empty = html`
    <section class="card empty"><h2>There are no rules yet</h2>
      <p>A rule holds the free days and daily charges that you agreed with a shipping line or a terminal.
        Containers then show what they cost, day by day, and exceptions have their price.</p>
    </section>`;
  return accountLayout({
    title: "Demurrage rules",
    caller,
    part: "demurrage",
    notice,
    content: html`
      <div class="title"><h1>Demurrage rules</h1>
        ${mayEdit && html`<a class="button" href="${path}/new">New rule</a>`}</div>
      ${rules.length === 0 ? empty : table}
      ${pageLinks({ number, hasMore, addressOf: (page) => `${path}?page=${page}` })}
      ${sameFromApi(apiBaseUrl, [{ path: "/demurrage_rules" }])}`,
  });
}

export function deleteDemurragePage(caller: SignedInCaller, { id, attributes }: DemurrageRuleResource): Html {
  return accountLayout({
    title: `Delete ${attributes.name}`,
    caller,
    part: "demurrage",
    content: html`
      <section class="narrow card">
        <h1>Delete ${attributes.name}?</h1>
        <p>Containers are then charged by the rules that are left.</p>
        <form method="post" action="${path}/${id}/delete"><button class="danger">Delete rule</button></form>
        <p><a href="${path}">Cancel</a></p>
      </section>`,
  });
}
