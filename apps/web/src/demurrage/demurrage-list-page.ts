import { countText } from "@svc/domain";
import { countingStartEvents, demurrageKindLabels } from "@svc/domain/demurrage";
import { moneyText } from "@svc/domain/money";
import type { DemurrageRuleResource } from "@svc/sdk";
import { actionsColumn, type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import {
  deleteLink,
  deleteRecordPage,
  type ListedRecords,
  recordListPage,
  validityText,
} from "../dashboard/record-list-page.ts";

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

/** "4 working days free, from the day after the discharge". */
function daysText(rule: Attributes): string {
  const { free_days: count, start_offset_days: offset } = rule;
  const days = countText(count, rule.free_day_calendar === "working_days" ? "working day" : "day");
  const first = ["the day of", "the day after"][offset] ?? `${offset} days after`;
  return `${days} free, from ${first} ${countingStartEvents[rule.counting_start]}`;
}

/** "75.00 USD from day 1, 150.00 USD from day 5": each tier stays on one line. */
const tierTexts = ({ tiers, currency_code: currencyCode }: Attributes): Html[] =>
  tiers.map(({ from_day: day, amount_per_day: amount }, index) => {
    const price = moneyText({ amount: Number(amount), currencyCode });
    return html` <span class="phrase">${price} from day ${day}${index < tiers.length - 1 && ","}</span>`;
  });

function row({ id, attributes: rule }: DemurrageRuleResource, mayEdit: boolean): Html {
  return html`
    <tr>
      <th scope="row" data-label="Name">${
        mayEdit ? html`<a class="row-link" href="${path}/${id}/edit">${rule.name}</a>` : rule.name
      }</th>
      <td class="phrase" data-label="Kind">${demurrageKindLabels[rule.kind]}, ${rule.direction}</td>
      <td data-label="Applies to">${scopeText(rule)}</td>
      <td data-label="Valid">${validityText(rule.valid_from, rule.valid_until)}</td>
      <td data-label="Days">${daysText(rule)}</td>
      <td data-label="Per day">${tierTexts(rule)}</td>
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
