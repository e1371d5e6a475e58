import { instant } from "@svc/domain";
import { auditSubjects } from "@svc/domain/audit-events";
import type { AuditEventFilters, AuditEventResource } from "@svc/sdk";
import { calendarDayText, type Html, html, listTable, shortTimeText } from "@svc/views";
import { kindLabel } from "@svc/views/exceptions";
import type { Caller } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { withBreakAfterAt } from "../account/email-text.ts";
import { weekdays } from "../alerts/alert-text.ts";
import { option } from "../forms/choices.ts";
import { pageLinks } from "../pages/page-links.ts";
import { listCall, sameFromApi } from "../pages/same-from-api.ts";
import { exactTimestamp } from "../pages/timestamps.ts";
import { type AuditFilter, auditQuery, isFiltered, otherActors } from "./audit-filter.ts";
import type { AuditNames } from "./audit-names.ts";

type Attributes = AuditEventResource["attributes"];

/** Ids and names by kind of actor. */
type Actors = Readonly<Record<string, readonly (readonly [id: string, name: string])[]>>;

/** "api_token" as "API token". */
function subjectText(subject: string): string {
  const label = subject.replaceAll("_", " ").replace(/^(api|edi)\b/, (letters) => letters.toUpperCase());
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
}

/** "webhook.secret_rotated" as "Webhook secret rotated". */
function actionText(action: string): string {
  const [subject = "", verb = ""] = action.split(".");
  return `${subjectText(subject)} ${verb.replaceAll("_", " ")}`;
}

/** Renders the actor of a change. */
export function actorText({ actor_type: type, actor_name: name }: Attributes): Html {
  if (type === "operator") return html`${otherActors.operator}`;
  if (type === "unknown") return html`<span class="muted">${otherActors.unknown}</span>`;
  const text = withBreakAfterAt(name ?? "deleted");
  return type === "api_token" ? html`${text} <span class="tag">API token</span>` : html`${text}`;
}

/** Attributes that the pages call by another name than the API, by its words. */
const labels: Readonly<Record<string, string>> = {
  "api slug": "API name",
  "carrier scac": "carrier",
  "customer id": "customer",
  "definition id": "custom field",
  "equipment lengths": "equipment lengths (ft)",
  "grams per teu km": "grams CO2e per TEU-km",
  "line tracking resumed at": "tracking resumed",
  "line tracking stopped reason": "tracking stopped",
  "member user id": "member",
  "owner user id": "owner",
  "port locode": "port",
  "ref numbers": "references",
  "request type": "number type",
  scac: "carrier",
  "shipment tags": "tags",
  "terminal code": "terminal",
  url: "URL",
  "vessel imo": "vessel IMO number",
  "weekend days": "non-working days",
};

/** The label of an attribute; "fromDay" and "from_day" as "from day". */
function nameText(name: string): string {
  const text = name.replace(/_|(?=[A-Z])/g, " ").toLowerCase();
  return labels[text] ?? text;
}

/** A time, a day or a code in words; other texts as they are. */
function readableText(text: string): string {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return shortTimeText(instant(text));
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return calendarDayText(text);
  return /^[a-z]+(_[a-z0-9]+)+$/.test(text) ? text.replaceAll("_", " ") : text;
}

/** A value of a change in words: "17 Dec 2026, 10:00 UTC", "by member", "yes", "none". */
function valueText(value: unknown, isOwn: boolean): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) {
    const hasRecords = value.some((one) => typeof one === "object");
    return value.length === 0 ? "none" : value.map((one) => valueText(one, isOwn)).join(hasRecords ? "; " : ", ");
  }
  if (typeof value === "string") return isOwn ? value : readableText(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => `${nameText(name)} ${changedValue(name, one)}`)
    .join(", ");
}

/** Attributes with texts of members, which are shown as they are: a slug or tag may look like a code. */
const isOwnText = (name: string): boolean => /slug|tag|name|number|note|value/i.test(name);

/** One value of a changed attribute. */
export function changedValue(name: string, value: unknown): string {
  if (/^weekend_?days$/i.test(name) && Array.isArray(value)) {
    return value.length === 0 ? "none" : value.map((day) => weekdays[Number(day) - 1] ?? String(day)).join(", ");
  }
  return valueText(value, isOwnText(name));
}

/** Maximum number of attributes of a new record that a row shows unfolded. */
const unfoldedMax = 3;

/** The changed attributes. Those of a new record are folded, because they would fill the page. */
function changeText(changes: Attributes["changes"], names: AuditNames): Html {
  const displayValue = (name: string, value: unknown): string => names.get(String(value)) ?? changedValue(name, value);
  const entries = Object.entries(changes);
  const lines = entries.map(([name, change], index) => {
    const label = nameText(name);
    const text =
      "is_secret" in change
        ? "changed"
        : `${change.from === null ? "" : `${displayValue(name, change.from)} → `}${displayValue(name, change.to)}`;
    return html`${index > 0 && html`<br>`}<span class="muted">${label}</span> ${text}`;
  });
  const isNew = entries.every(([, change]) => "is_secret" in change || change.from === null);
  if (!isNew || entries.length <= unfoldedMax) return html`${lines}`;
  return html`<details class="others"><summary>${entries.length} fields</summary>${lines}</details>`;
}

/** The subject of a change: an exception by the label of its kind. */
export function subjectName({ subject_type: type, subject_name: name, subject_id: id }: Attributes, names: AuditNames) {
  if (name === null) return names.get(String(id)) ?? id;
  return type === "exception" ? kindLabel(name) : name;
}

function row({ attributes }: AuditEventResource, names: AuditNames): Html {
  const subject = subjectName(attributes, names);
  return html`
    <tr>
      <th scope="row" data-label="Time">${exactTimestamp(attributes.created_at)}</th>
      <td class="address" data-label="By">${actorText(attributes)}</td>
      <td class="phrase" data-label="Action">${actionText(attributes.action)}</td>
      <td class="address" data-label="Subject">${subject !== null && withBreakAfterAt(subject)}</td>
      <td class="wrap" data-label="Changes">${changeText(attributes.changes, names)}</td>
    </tr>`;
}

const path = "/account/audit";

function filterForm({ subjectType, actor, from, to }: AuditFilter, actors: Actors): Html {
  const isListed = Object.values({ ...actors, "": Object.entries(otherActors) }).some((group) =>
    group.some(([id]) => id === actor),
  );
  const group = ([label, entries]: [string, Actors[string]]) =>
    entries.length > 0 &&
    html`<optgroup label="${label}">${entries.map(([id, name]) => option(id, name, actor))}</optgroup>`;
  const day = (name: string, label: string, value: string) =>
    html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${value}"></p>`;
  return html`
    <form action="${path}" aria-label="Filter">
      <div class="fields">
        <p><label for="subject">Subject</label><select id="subject" name="subject">
          ${option("", "All subjects", subjectType)}
          ${auditSubjects.map((one) => option(one, subjectText(one), subjectType))}</select></p>
        <p><label for="by">By</label><select id="by" name="by">
          ${option("", "Anybody", actor)}
          ${actor !== "" && !isListed && option(actor, "Former member or token", actor)}
          ${Object.entries(actors).map(group)}
          ${Object.entries(otherActors).map(([value, label]) => option(value, label, actor))}</select></p>
        ${day("from", "From", from)}
        ${day("to", "To", to)}
        <p><button class="quiet">Apply</button></p>
      </div>
    </form>`;
}

/** `GET /account/audit?subject=&by=&from=&to=&page=`, for owners. */
export function auditPage(options: {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly events: readonly AuditEventResource[];
  readonly names: AuditNames;
  readonly filter: AuditFilter;
  /** The same filter, as the API has it. */
  readonly apiFilter: AuditEventFilters;
  readonly actors: Actors;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly hasMore: boolean;
}): Html {
  const { caller, apiBaseUrl, events, names, filter, apiFilter, actors, number, hasMore } = options;
  return accountLayout({
    title: "Audit log",
    caller,
    part: "audit",
    aside: html`<a class="button quiet" href="${path}.csv${auditQuery(filter)}" download>Export CSV</a>`,
    content: html`
      <p class="muted">Who changed what and when.</p>
      ${filterForm(filter, actors)}
      ${
        events.length === 0
          ? html`<p class="card empty">${isFiltered(filter) ? "No changes match." : "Nothing was changed yet."}</p>`
          : listTable({
              className: "names",
              caption: "Audit events, the newest first",
              columns: ["Time", "By", "Action", "Subject", "Changes"],
              rows: events.map((event) => row(event, names)),
            })
      }
      ${pageLinks({ number, hasMore, addressOf: (other) => `${path}${auditQuery(filter, other)}` })}
      ${sameFromApi(apiBaseUrl, [{ path: listCall("/audit_events", { ...apiFilter }, {}) }])}`,
  });
}
