import { instant } from "@svc/domain";
import { moneyText } from "@svc/domain/exceptions";
import { withContainerArrival } from "@svc/domain/shipments";
import type { ExceptionResource, MappedTrackingRequest } from "@svc/sdk";
import { type Html, type HtmlValue, html, shortTimeText } from "@svc/views";
import { kindLabel } from "@svc/views/exceptions";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { formProblem, type Problems, textArea } from "../forms/field.ts";
import { beforeInputs, type Texts } from "../forms/merge-edit.ts";
import { memberSuggestions, mentionHint, noteMarkup } from "../notes/note-markup.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { arrivalSummary, routeText } from "../shipments/arrival-summary.ts";
import { pickupFacts } from "../shipments/container-facts.ts";
import { factList, noSources } from "../shipments/field-sources.ts";
import type { ConnectionProblem } from "../tracking-requests/connection-problems.ts";
import { correctionLink, requestCard, retryPath } from "../tracking-requests/request-state.ts";
import { type ActivityOptions, activityCard, stepLink } from "./activity-card.ts";
import { actionsWithForm } from "./exception-actions.ts";
import { resolutionText, statusLabels } from "./exception-labels.ts";
import { mayRepeatRequest, subjectPath } from "./exception-rows.ts";

/** `shipment` and `container`: of the exception; null: it has none. */
export interface ExceptionPageOptions extends ActivityOptions {
  readonly caller: SignedInCaller;
  /** The tracking request that it is about; null: a shipment. */
  readonly request: { readonly request: MappedTrackingRequest; readonly problem: ConnectionProblem | undefined } | null;
  readonly apiBaseUrl: string;
  /** Whether members whom the note mentions are notified. */
  readonly sendsMail: boolean;
  readonly note: string | undefined;
  /** Mentions in the note that was just saved that notified no member; absent or null: none. */
  readonly mentionNotice?: Html | null;
  /** Texts in the fields of the form; absent: the present ones. */
  readonly texts?: Texts;
  readonly problems: Problems;
}

/** Fields of the form that others may edit at the same time. */
export const exceptionFields = [
  { name: "owner", label: "Owner" },
  { name: "note", label: "Note" },
];

export const exceptionTexts = ({ attributes: { owner, note } }: ExceptionResource): Texts =>
  new Map(Object.entries({ owner: owner ?? "", note: note ?? "" }));

export const snoozeDays = [1, 3, 7] as const;
const noteLengthMax = 2_000;

const entry = (label: string, value: HtmlValue): Html | null =>
  value === null ? null : html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function facts({ exception, now, members }: ExceptionPageOptions): Html {
  const { attributes } = exception;
  const { opened_at: opened, resolved_at: resolved, snoozed_until: until, note, ended_at: ended } = attributes;
  const { amounts, amount_per_day: perDay } = attributes;
  const money = ({ amount, currency_code: currencyCode }: (typeof amounts)[number]) =>
    moneyText({ amount, currencyCode });
  return html`
    <section class="card"><dl>
      ${entry("Number", html`<a class="number" href="${subjectPath(exception)}">${attributes.number}</a>`)}
      ${entry("Kind", kindLabel(attributes.kind))}
      ${entry("Status", attributes.resolution === "superseded" ? "Superseded" : statusLabels[attributes.status])}
      ${entry(
        ended === null ? "Charged so far" : "Charged as last checked",
        amounts.length > 0 ? amounts.map(money).join(" + ") : null,
      )}
      ${entry("Per day", ended === null ? perDay && money(perDay) : null)}
      ${entry(
        "Opened",
        html`${relativeTimestamp(opened, Date.parse(now))}
          <span class="muted">${shortTimeText(instant(opened))}</span>`,
      )}
      ${entry("Snoozed until", attributes.status === "snoozed" && until ? shortTimeText(instant(until)) : null)}
      ${entry(
        "Resolved",
        resolved &&
          html`${resolutionText(attributes)}
          <span class="muted">${shortTimeText(instant(resolved))}</span>`,
      )}
      ${entry("Note", note && html`<span class="note">${noteMarkup(note, members)}</span>`)}
    </dl></section>`;
}

/** Shows the voyage of the subject and the pickup of its container, or the tracking request. */
function context({ caller, exception, shipment, container, request, now }: ExceptionPageOptions): Html | null {
  if (request !== null) {
    const isResolved = exception.attributes.status === "resolved";
    const { problem } = request;
    return requestCard(request.request, { caller, problem, isResolved, back: `/attention/${exception.id}` });
  }
  if (shipment === null) return null;
  const containers = container === null ? [] : [container];
  const arrival = container === null ? shipment : withContainerArrival(container, shipment);
  const options = { shipment: arrival, containers, now, of: "ofShipment", showsLastFreeDay: false } as const;
  return html`
    <div class="stack">
      <section class="card"><h2>Voyage</h2>
        <p><a class="number" href="/shipments/${shipment.id}">${shipment.billOfLadingNumber}</a>
          <span class="muted">${shipment.shippingLineName}</span></p>
        <p>${routeText(shipment)}</p>
        ${arrivalSummary(options)}
      </section>
      ${
        container !== null &&
        html`<section class="card"><h2>Pickup of <span class="number">${container.number}</span></h2>
          ${factList(pickupFacts(container, shipment, now), noSources)}</section>`
      }
    </div>`;
}

const formId = "handle";

/** The forms that repeat a failed request. */
function requestActions({ caller, exception, request }: ExceptionPageOptions): Html | false {
  if (request === null || !mayRepeatRequest(exception, caller)) return false;
  return html`
    <div class="row-actions"><a class="button" href="${retryPath(request.request)}">Retry</a>
      ${correctionLink(request.request, "button quiet")}</div>`;
}

/** One that is superseded cannot be edited: then only what was refused is shown. */
function form({ exception, members, texts, problems, sendsMail }: ExceptionPageOptions): Html | null {
  const { status, resolution } = exception.attributes;
  if (resolution === "superseded" && texts === undefined) return formProblem(problems);
  const present = exceptionTexts(exception);
  const { owner = "", note = "" } = Object.fromEntries(texts ?? present);
  const written = { maxLength: noteLengthMax, ...(sendsMail && { hint: mentionHint }) };
  const option = (value: string, label: string, isSelected: boolean) =>
    html`<option value="${value}"${isSelected && html` selected`}>${label}</option>`;
  return html`
    <form class="form card" id="${formId}" method="post" action="/attention/${exception.id}">
      ${formProblem(problems)}
      ${beforeInputs(present)}
      <div class="field"><label for="owner">Owner</label>
        <select id="owner" name="owner">
          ${option("", "No owner", owner === "")}${members.map((email) => option(email, email, email === owner))}
        </select></div>
      ${
        status !== "resolved" &&
        html`<div class="field"><label for="snooze">Snooze</label>
        <select id="snooze" name="snooze">
          ${option("keep", status === "snoozed" ? "As it is" : "Not snoozed", true)}
          ${snoozeDays.map((days) => option(String(days), days === 1 ? "For 1 day" : `For ${days} days`, false))}
        </select></div>`
      }
      ${textArea({ ...written, label: "Note", name: "note", value: note, rows: 3, problems })}
      ${sendsMail && memberSuggestions("note", members)}
      <button name="action" value="save">Save</button>
    </form>`;
}

/** `GET /attention/{id}`: one exception with its owner, snooze and note. */
export function exceptionPage(options: ExceptionPageOptions): Html {
  const { caller, apiBaseUrl, exception, note } = options;
  const { id, attributes } = exception;
  const mayHandle = may(caller, "handle_exceptions");
  const isCritical = attributes.severity === "critical";
  return layout({
    title: attributes.summary,
    caller,
    section: "attention",
    content: html`
      <p class="muted crumbs"><a href="/attention">Needs attention</a> /
        <span class="number">${attributes.number}</span></p>
      ${options.mentionNotice ?? (note && noticeBanner("success", note))}
      <div class="title"><h1>${attributes.summary}</h1>
        ${isCritical ? html`<span class="state bad">Critical</span>` : html`<span class="state">Warning</span>`}
        ${requestActions(options)}
        ${mayHandle && actionsWithForm(exception, caller.user.email, formId)}</div>
      ${attributes.cause && html`<p>${attributes.cause}</p>`}
      ${options.activity.next.map(
        (next) => html`<p>Superseded by ${stepLink(next, options.exception)}, which took its place.</p>`,
      )}
      <div class="columns">
        <div class="stack">${facts(options)}${mayHandle && form(options)}${activityCard(options)}</div>
        ${context(options)}
      </div>
      ${sameFromApi(apiBaseUrl, [
        { path: `/exceptions/${id}` },
        { path: `/exceptions/${id}/audit_events` },
        {
          method: "PATCH",
          path: `/exceptions/${id}`,
          body: { data: { type: "exception", id, attributes: { status: "resolved" } } },
        },
      ])}`,
  });
}
