import { addMs, countText, dayMs, type Instant, localDateOrUtc } from "@svc/domain";
import { type Html, html } from "@svc/views";
import { may } from "../access/callers.ts";
import { menu, menuEntries } from "../pages/menu.ts";
import { readerZone } from "../times/reader-zone.ts";
import { correctionLink, otherTypeLink, retryPath } from "../tracking-requests/request-state.ts";
import { actionLabels, assignControls, memberSuggestions, snoozeDays, snoozeUntil } from "./exception-actions.ts";
import type { ExceptionPageOptions } from "./exception-page-options.ts";
import { mayRepeatRequest } from "./exception-rows.ts";

/** The form of the note, which every action submits: what is typed there is saved, too. */
export const noteFormId = "handle";

const submit = (action: string, label: string, className: string | null = null): Html =>
  html`<button${className && html` class="${className}"`} name="action" value="${action}" form="${noteFormId}">${label}</button>`;

/** A choice of owners; open, with what was entered, after it was refused. Null: there is none. */
function assignMenu({ caller, exception, assignees, texts }: ExceptionPageOptions): Html | null {
  const { owner } = exception.attributes;
  if (owner === null && assignees.length <= 1) return null;
  const entered = texts?.get("owner") ?? "";
  const isRefused = entered !== "" && entered !== owner;
  const controls = assignees.length > 1 && assignControls("owner", { id: noteFormId, owner: isRefused ? entered : "" });
  return menu({
    id: "assign",
    label: "Assign",
    className: "choices-menu",
    isOpen: isRefused,
    content: html`<div class="menu">${controls}${menuEntries(html`
      ${owner !== null && owner !== caller.user.email && submit("take", actionLabels.take)}
      ${owner !== null && submit("release", "Remove the owner")}`)}</div>`,
  });
}

/** What Enter in the input of the menu submits: the first button of a form, which another action would be. */
const assignOnEnter = html`
  <button class="hidden" name="action" value="assign" form="${noteFormId}" tabindex="-1" aria-hidden="true"></button>`;

/** Snoozes until the start of a day. */
const snoozeDate = (tomorrow: string): Html => html`
  <span class="assign"><label class="hidden" for="until">Snooze until</label>
    <input id="until" name="until" type="date" min="${tomorrow}" form="${noteFormId}">
    ${submit(snoozeUntil, "Until the date", "quiet")}</span>`;

function snoozeMenu(now: Instant): Html {
  const tomorrow = localDateOrUtc(addMs(now, dayMs), readerZone());
  const entries = Object.entries(snoozeDays).map(([action, days]) => submit(action, `For ${countText(days, "day")}`));
  const content = html`<div class="menu">${menuEntries(entries)}${snoozeDate(tomorrow)}</div>`;
  return menu({ id: "snooze", label: "Snooze", className: "choices-menu", content });
}

/** What the status of the exception allows; nothing once its condition has ended. `takeClass`: of "Assign to me". */
function statusActions(options: ExceptionPageOptions, takeClass: string | null): Html | null {
  const { status, ended_at: ended, owner } = options.exception.attributes;
  if (ended !== null || !may(options.caller, "handle_exceptions")) return null;
  const reopen = submit("open", actionLabels.open, "quiet");
  if (status === "resolved") return reopen;
  const assign = assignMenu(options);
  return html`${assign && assignOnEnter}${owner === null && submit("take", actionLabels.take, takeClass)}
    ${snoozeMenu(options.now)}
    ${status === "open" ? submit("resolve", actionLabels.resolve, "quiet") : reopen}
    ${assign}
    ${memberSuggestions(options.assignees)}`;
}

/** The form that repeats a failed request, with its number as it is or to correct it. */
function requestActions({ caller, exception, request }: ExceptionPageOptions): Html | null {
  if (request === null || !mayRepeatRequest(exception, caller)) return null;
  return html`<a class="button" href="${retryPath(request.request)}">Retry</a>
    ${otherTypeLink(request.request, "button quiet")} ${correctionLink(request.request, "button quiet")}`;
}

/** The actions of the page of an exception, in one row below its heading. Null: there are none. */
export function pageActions(options: ExceptionPageOptions): Html | null {
  const ofRequest = requestActions(options);
  // A page has one main action.
  const ofStatus = statusActions(options, ofRequest && "quiet");
  return ofRequest || ofStatus ? html`<div class="actions">${ofRequest}${ofStatus}</div>` : null;
}
