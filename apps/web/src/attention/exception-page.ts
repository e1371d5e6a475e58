import type { Instant } from "@svc/domain";
import type { ExceptionResource } from "@svc/sdk";
import { type Html, type HtmlValue, html } from "@svc/views";
import { kindWords } from "@svc/views/exceptions";
import { may } from "../access/callers.ts";
import type { SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { formProblem, type Problems, textArea } from "../forms/field.ts";
import { mentionHint, noteMarkup } from "../notes/note-markup.ts";
import { layout } from "../pages/layout.ts";
import { exactMoment, moment } from "../pages/moment.ts";
import { doneNotice } from "../pages/notice-of.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { subjectPath } from "./attention-page.ts";
import { exceptionActions } from "./exception-actions.ts";
import { resolutionWords, statusWords } from "./exception-words.ts";

export interface ExceptionPageOptions {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly now: Instant;
  readonly exception: ExceptionResource;
  /** Email addresses of the members. */
  readonly members: readonly string[];
  /** Whether members whom the note mentions are notified. */
  readonly sendsMail: boolean;
  readonly note: string | undefined;
  readonly problems: Problems;
}

export const snoozeDays = [1, 3, 7] as const;
const longestNote = 2_000;

const entry = (label: string, value: HtmlValue): Html | null =>
  value === null ? null : html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function facts({ exception, now, members }: ExceptionPageOptions): Html {
  const { attributes } = exception;
  const { opened_at: opened, resolved_at: resolved, resolution, snoozed_until: until, note } = attributes;
  const { amounts, amount_per_day: perDay } = attributes;
  const reason = resolution && resolutionWords[resolution];
  const money = ({ amount, currency_code: currency }: (typeof amounts)[number]) =>
    `${amount.toFixed(2)} ${currency ?? ""}`.trim();
  return html`
    <section class="card"><dl>
      ${entry("Subject", html`<a class="number" href="${subjectPath(exception)}">${attributes.number}</a>`)}
      ${entry("Kind", kindWords[attributes.kind])}
      ${entry("Severity", attributes.severity === "critical" ? html`<span class="late">Critical</span>` : "Warning")}
      ${entry("Status", statusWords[attributes.status])}
      ${entry("Charged so far", amounts.length > 0 ? amounts.map(money).join(" + ") : null)}
      ${entry("Per day", perDay && money(perDay))}
      ${entry("Opened", html`${moment(opened, Date.parse(now))} <span class="muted">${exactMoment(opened)}</span>`)}
      ${entry("Snoozed until", attributes.status === "snoozed" && until ? exactMoment(until) : null)}
      ${entry("Resolved", resolved && html`${reason} <span class="muted">${exactMoment(resolved)}</span>`)}
      ${entry("Note", note && html`<span class="note">${noteMarkup(note, members)}</span>`)}
    </dl></section>`;
}

function form({ exception, members, problems, sendsMail }: ExceptionPageOptions): Html {
  const { owner, note, status } = exception.attributes;
  const written = { maxLength: longestNote, ...(sendsMail && { hint: mentionHint }) };
  const option = (value: string, words: string, isSelected: boolean) =>
    html`<option value="${value}"${isSelected && html` selected`}>${words}</option>`;
  return html`
    <form class="form card" method="post" action="/attention/${exception.id}">
      ${formProblem(problems)}
      <div class="field"><label for="owner">Owner</label>
        <select id="owner" name="owner">
          ${option("", "No owner", owner === null)}${members.map((email) => option(email, email, email === owner))}
        </select></div>
      ${
        status !== "resolved" &&
        html`<div class="field"><label for="snooze">Snooze</label>
        <select id="snooze" name="snooze">
          ${option("keep", status === "snoozed" ? "As it is" : "Not snoozed", true)}
          ${snoozeDays.map((days) => option(String(days), days === 1 ? "For 1 day" : `For ${days} days`, false))}
        </select></div>`
      }
      ${textArea({ ...written, label: "Note", name: "note", value: note ?? "", rows: 3, problems })}
      <button name="action" value="save">Save</button>
    </form>`;
}

/** `GET /attention/{id}`: one exception with its owner, snooze and note. */
export function exceptionPage(options: ExceptionPageOptions): Html {
  const { caller, apiBaseUrl, exception, note } = options;
  const { id, attributes } = exception;
  const mayHandle = may(caller, "handle_exceptions");
  return layout({
    title: attributes.summary,
    caller,
    section: "attention",
    jumpBox: true,
    content: html`
      <p class="muted"><a href="/attention">Needs attention</a> / <span class="number">${attributes.number}</span></p>
      ${note && doneNotice(note)}
      <div class="title"><h1>${attributes.summary}</h1>
        ${mayHandle && exceptionActions(exception, caller.user.email, `/attention/${id}`)}</div>
      ${attributes.cause && html`<p>${attributes.cause}</p>`}
      ${facts(options)}
      ${mayHandle && form(options)}
      ${sameFromApi(apiBaseUrl, [
        { path: `/exceptions/${id}` },
        {
          method: "PATCH",
          path: `/exceptions/${id}`,
          body: { data: { type: "exception", id, attributes: { status: "resolved" } } },
        },
      ])}`,
  });
}
