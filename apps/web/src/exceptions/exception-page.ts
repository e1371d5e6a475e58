import { instant } from "@svc/domain";
import { cargoContext, summaryWithoutPrice } from "@svc/domain/exceptions";
import type { ExceptionResource } from "@svc/sdk";
import { type Html, html, shortTimeText } from "@svc/views";
import { kindLabel } from "@svc/views/exceptions";
import { may } from "../access/callers.ts";
import { formProblem, textArea } from "../forms/field.ts";
import { beforeInputs } from "../forms/merge-edit.ts";
import { memberSuggestions, mentionHint, noteMarkup } from "../notes/note-markup.ts";
import { fact } from "../pages/fact.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { requestCard } from "../tracking-requests/request-state.ts";
import { activityCard, stepLink } from "./activity-card.ts";
import { chargedAmounts, isAboutPickup, nextStep, subjectCards } from "./exception-answers.ts";
import { exceptionTexts } from "./exception-edits.ts";
import { resolutionText, statusLabels } from "./exception-labels.ts";
import { noteFormId, pageActions } from "./exception-page-actions.ts";
import type { ExceptionPageOptions } from "./exception-page-options.ts";
import { subjectPath } from "./exception-rows.ts";
import { requestContext } from "./queue-requests.ts";
import { exceptionPath } from "./return-path.ts";

const noteLengthMax = 2_000;

/** One that is superseded cannot be edited: then the form only has what was refused. */
const hasForm = ({ caller, exception, texts }: ExceptionPageOptions): boolean =>
  may(caller, "handle_exceptions") && (exception.attributes.resolution !== "superseded" || texts !== undefined);

/** What neither the head of the page nor the answers say; null: nothing. */
function facts(options: ExceptionPageOptions): Html | null {
  const { exception, members } = options;
  const { attributes } = exception;
  const { resolved_at: resolved, snoozed_until: until, note, ended_at: ended } = attributes;
  const charged = isAboutPickup(options) ? null : chargedAmounts(exception);
  const time = (at: string) => shortTimeText(instant(at));
  const entries = [
    charged && fact(charged.label, html`${charged.text} <span class="muted">${charged.below}</span>`),
    fact("Snoozed until", attributes.status === "snoozed" && until ? time(until) : null),
    fact("Resolved", resolved && html`${resolutionText(attributes)} <span class="muted">${time(resolved)}</span>`),
    fact("Condition ended", ended !== null && ended !== resolved ? time(ended) : null),
    !hasForm(options) && fact("Note", note && html`<span class="note">${noteMarkup(note, members)}</span>`),
  ].filter(Boolean);
  return entries.length === 0 ? null : html`<section class="card"><dl>${entries}</dl></section>`;
}

/** "Shipment SBXHLD000123 · Sandbox Line · Northwind · PO-1 · Shanghai → Rotterdam". Null: nothing is known. */
function subjectLine({ exception, shipment, container, request }: ExceptionPageOptions): Html | null {
  const { number } = exception.attributes;
  if (shipment === null) {
    const context = request && requestContext(request.request);
    return context === null ? null : html`<p class="muted">${context}</p>`;
  }
  const { id, billOfLadingNumber: bill, customerName, portOfLading, portOfDischarge, destination } = shipment;
  const cargo = cargoContext({
    customerName,
    refNumbers: [...(container?.refNumbers ?? []), ...shipment.refNumbers],
    portOfLadingName: portOfLading?.name ?? null,
    portOfDischargeName: portOfDischarge?.name ?? null,
    destinationName: destination?.name ?? null,
  });
  return html`
    <p class="muted">${bill !== number && html`Shipment <a class="number" href="/shipments/${id}">${bill}</a> · `}${
      shipment.shippingLineName
    }${cargo && ` · ${cargo}`}</p>`;
}

/** The note of the exception, which the newest one replaces; the earlier ones stay in the activity below it. */
function noteForm(options: ExceptionPageOptions): Html | null {
  const { exception, members, texts, problems, sendsMail } = options;
  if (!hasForm(options)) return null;
  const { note: present } = exception.attributes;
  const value = texts?.get("note") ?? present ?? "";
  const written = { maxLength: noteLengthMax, ...(sendsMail && { hint: mentionHint }) };
  return html`
    <form class="form" id="${noteFormId}" method="post" action="/attention/${exception.id}" novalidate>
      <input type="hidden" name="queue" value="${options.queue.path}">
      ${beforeInputs(exceptionTexts(exception))}
      ${textArea({ ...written, label: "Note", name: "note", value, rows: 3, problems })}
      ${sendsMail && memberSuggestions("note", members)}
      <button class="quiet" name="action" value="save">${present === null ? "Add note" : "Save note"}</button>
    </form>`;
}

/** The state of the exception beside its heading, its owner, and when it was opened. */
function marks({ exception: { attributes }, now }: ExceptionPageOptions): Html {
  const { severity, status, resolution, owner, opened_at: opened } = attributes;
  const [className, label] = severity === "critical" ? ["state bad", "Critical"] : ["state soon", "Warning"];
  const statusLabel = resolution === "superseded" ? "Superseded" : statusLabels[status];
  return html`
    <span><span class="${className}">${label}</span>
      ${status !== "open" && html`<span class="state calm">${statusLabel}</span>`}
      <span class="muted">${owner === null ? "No owner" : `Owner ${owner}`} · opened
        ${relativeTimestamp(opened, Date.parse(now))} (${shortTimeText(instant(opened))})</span></span>`;
}

function requestContextCard({ caller, exception, request }: ExceptionPageOptions): Html | null {
  if (request === null) return null;
  const isResolved = exception.attributes.status === "resolved";
  return requestCard(request.request, { caller, problem: request.problem, isResolved });
}

/** The exception before or after this one in the list, by its kind, and by its number where that differs. */
function neighbourLink(
  one: ExceptionResource | null,
  rel: "prev" | "next",
  current: ExceptionPageOptions,
): Html | null {
  if (one === null) return null;
  const { kind, number } = one.attributes;
  const about = number === current.exception.attributes.number ? kindLabel(kind) : `${number} · ${kindLabel(kind)}`;
  const path = exceptionPath(one.id, current.queue.path);
  return rel === "prev"
    ? html`<a rel="prev" href="${path}">‹ <span class="hidden">Previous: </span>${about}</a>`
    : html`<a rel="next" href="${path}"><span class="hidden">Next: </span>${about} ›</a>`;
}

/** The list that the page was opened from, and the exceptions before and after this one in it. */
function crumbs(options: ExceptionPageOptions): Html {
  const { path, previous, next } = options.queue;
  return html`
    <div class="title"><p class="muted crumbs"><a href="${path}">Needs attention</a> /
      <span class="number">${options.exception.attributes.number}</span></p>
      ${
        (previous ?? next) &&
        html`<p class="steps">${neighbourLink(previous, "prev", options)} ${neighbourLink(next, "next", options)}</p>`
      }</div>`;
}

/** `GET /attention/{id}`: what one exception is about, what decides, its actions, its note and its activity. */
export function exceptionPage(options: ExceptionPageOptions): Html {
  const { caller, apiBaseUrl, exception, note } = options;
  const { id, attributes } = exception;
  const { number } = attributes;
  const summary = summaryWithoutPrice(attributes.summary);
  const [decisive, ...others] = subjectCards(options);
  return layout({
    title: `${number} · ${summary}`,
    caller,
    section: "attention",
    styles: "record",
    content: html`
      ${crumbs(options)}
      ${options.mentionNotice ?? (note && noticeBanner("success", note))}
      ${formProblem(options.problems)}
      <div class="exception-head">
        <h1><a class="number" href="${subjectPath(exception)}">${number}</a> · ${summary}</h1>
        ${marks(options)}
        ${subjectLine(options)}
        ${pageActions(options)}
      </div>
      ${attributes.cause && html`<p class="muted">${attributes.cause}</p>`}
      ${nextStep(options)}
      ${options.activity.next.map(
        (next) => html`<p>Superseded by ${stepLink(next, exception)}, which took its place.</p>`,
      )}
      <div class="columns">
        <div class="stack">${requestContextCard(options)}${decisive}${facts(options)}${others}</div>
        ${activityCard(options, noteForm(options))}
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
