import type { ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { menu } from "../pages/menu.ts";
import { noticeBox } from "../pages/notice-box.ts";

/** Buttons of the form, by the action that they submit. */
export const actionLabels = {
  take: "Assign to me",
  snooze: "Snooze 1 day",
  resolve: "Resolve",
  open: "Reopen",
} as const;

export type ExceptionAction = keyof typeof actionLabels;

const actionNames = Object.keys(actionLabels) as ExceptionAction[];

type Exception = Pick<ExceptionResource, "id" | "attributes">;

/** The actions that the status of an exception allows; none once its condition has ended. */
function actionsOf({ attributes }: Exception, email: string): readonly ExceptionAction[] {
  const { status, owner, ended_at: ended } = attributes;
  if (ended !== null) return [];
  return status === "open" ? [...(owner === email ? [] : (["take"] as const)), "snooze", "resolve"] : ["open"];
}

/** `name`: of what is changed, for screen readers. */
const button = (action: ExceptionAction, name: string): Html =>
  html`<button class="quiet" name="action" value="${action}" aria-label="${actionLabels[action]}: ${name}">${actionLabels[action]}</button>`;

const nameOf = ({ attributes: { summary, number } }: Exception): string => `${summary}, ${number}`;

const formOf = ({ id }: Exception, back: string, content: Html | readonly Html[]): Html => html`
    <form class="row-actions" method="post" action="/attention/${id}" data-keep-place>
      <input type="hidden" name="back" value="${back}">${content}
    </form>`;

const buttons = (actions: readonly ExceptionAction[], name: string) => actions.map((action) => button(action, name));

/** One-click actions of an exception, as a form that works without JavaScript. `back`: URL of the page it is on. */
export function exceptionActions(one: Exception, email: string, back: string): Html | null {
  const actions = actionsOf(one, email);
  return actions.length === 0 ? null : formOf(one, back, buttons(actions, nameOf(one)));
}

/** The actions of a row: the one that is shown, and the others behind "…". `more`: what else is behind it. */
function splitActions(
  [first, ...others]: readonly ExceptionAction[],
  options: {
    /** The form of some of the actions. */
    readonly form: (actions: readonly ExceptionAction[]) => Html;
    readonly menuId: string;
    /** Of the row, for screen readers. */
    readonly name: string;
    readonly more: Html | null;
  },
): Html | null {
  const { form, menuId, name, more } = options;
  // Where a member has taken it, what remains is equally likely.
  const shown = first === "take" || first === "open" ? first : null;
  const behind = shown === null && first !== undefined ? [first, ...others] : others;
  const hidden =
    (behind.length > 0 || more) &&
    menu({
      id: menuId,
      words: "…",
      label: `More actions: ${name}`,
      look: "row-menu",
      content: html`<div class="menu">${behind.length > 0 && form(behind)}${more}</div>`,
    });
  if (!shown && !hidden) return null;
  return html`<div class="row-actions">${shown && form([shown])}${hidden}</div>`;
}

/**
 * The actions of a row. `email`: of the member; null: may not change it. `back`: URL of the list, with the row that is
 * in place of this one as its fragment.
 */
export function rowActions(one: Exception, email: string | null, back: string, more: Html | null): Html | null {
  const name = nameOf(one);
  const form = (actions: readonly ExceptionAction[]) => formOf(one, back, buttons(actions, name));
  return splitActions(email === null ? [] : actionsOf(one, email), { form, menuId: `more-${one.id}`, name, more });
}

/** The actions of a row that stands for several exceptions, for all that allow them. As `rowActions`. */
export function groupActions(
  items: readonly [Exception, ...Exception[]],
  options: {
    readonly email: string | null;
    readonly back: string;
    readonly more: Html | null;
    /** Of the row, for screen readers. */
    readonly name: string;
  },
): Html | null {
  const { email, back, more, name } = options;
  const allowed = items.map((one) => ({ id: one.id, actions: email === null ? [] : actionsOf(one, email) }));
  const form = (actions: readonly ExceptionAction[]) => html`
    <form class="row-actions" method="post" action="/attention/rows" data-keep-place>
      <input type="hidden" name="back" value="${back}">
      ${allowed.map(
        ({ id, actions: own }) =>
          actions.some((action) => own.includes(action)) && html`<input type="hidden" name="id" value="${id}">`,
      )}
      ${buttons(actions, name)}
    </form>`;
  const actions = actionNames.filter((action) => allowed.some((one) => one.actions.includes(action)));
  return splitActions(actions, { form, menuId: `more-${items[0].id}`, name, more });
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
  return noticeBox("success", html`<p><span class="number">${attributes.number}</span> ${words}.</p>${form}`, "toast");
}
