import { countingStartLabels, demurrageKindLabels } from "@svc/domain/demurrage";
import type { DemurrageRuleResource } from "@svc/sdk";
import { actionsColumn, type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { deleteLink, deleteRecordPage, type ListedRecords, recordListPage } from "../dashboard/record-list-page.ts";

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
  const text = [place.filter(Boolean).join(" "), equipment].filter((part) => part !== "").join(", ");
  return text === "" ? "Every container" : text;
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
      <td>${mayEdit && deleteLink(`${path}/${id}`, rule.name)}</td>
    </tr>`;
}

/** `GET /account/demurrage`. */
export function demurrageListPage(listed: ListedRecords, rules: readonly DemurrageRuleResource[]): Html {
  const mayEdit = may(listed.caller, "edit_records");
  return recordListPage(listed, {
    title: "Demurrage rules",
    part: "demurrage",
    path,
    apiPath: "/demurrage_rules",
    newLabel: "New rule",
    columns: ["Name", "Kind", "Applies to", "Valid", "Days", "Per day", actionsColumn],
    rows: rules.map((rule) => row(rule, mayEdit)),
    empty: {
      heading: "No rules yet",
      text:
        "A rule holds the free days and daily charges that you agreed with a shipping line or a terminal. " +
        "Containers then show what they cost, day by day, and exceptions have their price.",
    },
  });
}

export const deleteDemurragePage = (caller: SignedInCaller, { id, attributes }: DemurrageRuleResource): Html =>
  deleteRecordPage(caller, {
    part: "demurrage",
    path,
    id,
    name: attributes.name,
    button: "Delete rule",
    effect: "Containers are then charged by the rules that are left.",
  });
