import type { ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";

/** Buttons of the form, by the action that they submit. */
export const actionLabels = {
  take: "Assign to me",
  snooze: "Snooze 1 day",
  resolve: "Resolve",
  open: "Reopen",
} as const;

export type ExceptionAction = keyof typeof actionLabels;

type Exception = Pick<ExceptionResource, "id" | "attributes">;

/** The actions that the status of an exception allows; none once its condition has ended. */
function actionsOf({ attributes }: Exception, email: string): readonly ExceptionAction[] {
  const { status, owner, ended_at: ended } = attributes;
  if (ended !== null) return [];
  return status === "open" ? [...(owner === email ? [] : (["take"] as const)), "snooze", "resolve"] : ["open"];
}

const button = (action: ExceptionAction, { attributes: { summary, number } }: Exception): Html =>
  html`<button class="quiet" name="action" value="${action}" aria-label="${actionLabels[action]}: ${summary}, ${number}">${actionLabels[action]}</button>`;

const formOf = ({ id }: Exception, back: string, content: Html | readonly Html[]): Html => html`
    <form class="row-actions" method="post" action="/attention/${id}" data-keep-place>
      <input type="hidden" name="back" value="${back}">${content}
    </form>`;

/** One-click actions of an exception, as a form that works without JavaScript. `back`: URL of the page it is on. */
export function exceptionActions(one: Exception, email: string, back: string): Html | null {
  const actions = actionsOf(one, email);
  return actions.length === 0
    ? null
    : formOf(
        one,
        back,
        actions.map((action) => button(action, one)),
      );
}

/**
 * The actions of a row: the first one, and the others behind "…". `more`: what else is behind it. `back`: URL of the
 * list, with the row that is in place of this one as its fragment.
 */
export function rowActions(one: Exception, email: string | null, back: string, more: Html | null): Html | null {
  const [first, ...others] = email === null ? [] : actionsOf(one, email);
  // Where a member has taken it, what remains is equally likely.
  const shown = first === "take" || first === "open" ? first : null;
  const behind = shown === null && first !== undefined ? [first, ...others] : others;
  const { number, summary } = one.attributes;
  const menu =
    (behind.length > 0 || more) &&
    html`
    <details class="row-menu" id="more-${one.id}" data-closes>
      <summary aria-label="More actions: ${summary}, ${number}">…</summary>
      <div class="menu">${
        behind.length > 0 &&
        formOf(
          one,
          back,
          behind.map((action) => button(action, one)),
        )
      }${more}</div>
    </details>`;
  if (!shown && !menu) return null;
  return html`<div class="row-actions">${shown && formOf(one, back, button(shown, one))}${menu}</div>`;
}

const doneWords: Readonly<Record<string, readonly [words: string, undo: string | null]>> = {
  take: ["assigned to you", "release"],
  take_over: ["assigned to you", null],
  snooze: ["snoozed for a day", "open"],
  resolve: ["resolved", "open"],
  open: ["open again", null],
  release: ["without an owner again", null],
};

/** What was done to an exception, with a button that takes it back; null for an unknown action. */
export function doneNote({ id, attributes }: Exception, action: string, back: string): Html | null {
  if (!Object.hasOwn(doneWords, action)) return null;
  const [words = "", undo = null] = doneWords[action] ?? [];
  const form =
    undo &&
    html`
    <form method="post" action="/attention/${id}" data-keep-place>
      <input type="hidden" name="back" value="${back}">
      <button class="quiet" name="action" value="${undo}">Undo</button>
    </form>`;
  return html`<div class="notice done toast" role="status"><p><span class="number">${attributes.number}</span> ${words}.</p>${form}</div>`;
}
