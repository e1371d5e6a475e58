import type { ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { ExceptionRow } from "@svc/views/exceptions";
import { menu } from "../pages/menu.ts";
import { noticeBanner } from "../pages/notice-banner.ts";

/** Buttons, by the action that they submit. */
export const actionLabels = {
  take: "Assign to me",
  snooze: "Snooze 1 day",
  resolve: "Resolve",
  open: "Reopen",
} as const;

export type ExceptionAction = keyof typeof actionLabels;

const actionNames = Object.keys(actionLabels) as ExceptionAction[];

/** Days that the actions snooze for. */
export const snoozeDays = { snooze: 1, snooze_3: 3, snooze_7: 7 } as const;

/** The action that snoozes until a date. */
export const snoozeUntil = "snooze_until";

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

const memberList = "members";

/** Suggestions for `assignControls`, once on a page: a choice of all members in each row would make it large. */
export const memberSuggestions = (members: readonly string[]): Html => html`
  <datalist id="${memberList}">${members.map((email) => html`<option value="${email}"></option>`)}</datalist>`;

/**
 * Controls that assign an exception to a member. First in their form, so that Enter in the input assigns. `id`: of it.
 * `form`: the one that they submit where they are outside of it.
 */
export function assignControls(id: string, form: { readonly id: string; readonly owner: string } | null = null): Html {
  const ofForm = form && html` form="${form.id}"`;
  return html`
    <span class="assign"><label class="hidden" for="${id}">Assign to</label>
      <input id="${id}" name="owner" type="email" maxlength="254" list="${memberList}" placeholder="Colleague’s e-mail"
        autocomplete="off"${form && html` value="${form.owner}"`}${ofForm}>
      <button class="quiet" name="action" value="assign"${ofForm}>Assign</button></span>`;
}

const formOf = ({ id }: Exception, back: string, content: Html | readonly Html[]): Html => html`
    <form class="row-actions" method="post" action="/attention/${id}" data-keep-place>
      <input type="hidden" name="back" value="${back}">${content}
    </form>`;

const buttons = (actions: readonly ExceptionAction[], name: string) => actions.map((action) => button(action, name));

/** `take`: beside the owner; null: there is one, or the member may not. */
export type RowActions = Pick<ExceptionRow, "take" | "actions">;

/** The actions of a row: the one that is shown, and the others behind "…". `more`: what else is behind it. */
function splitActions(
  actions: readonly ExceptionAction[],
  options: {
    /** The form of some of the actions. */
    readonly form: (actions: readonly ExceptionAction[], assign: Html | null) => Html;
    readonly menuId: string;
    /** Name of the row, for screen readers. */
    readonly name: string;
    readonly more: Html | null;
    /** Assigns it to a colleague; null: there is none. */
    readonly assign: Html | null;
    readonly hasOwner: boolean;
  },
): RowActions {
  const { form, menuId, name, more, assign, hasOwner } = options;
  const isTake = actions[0] === "take" && !hasOwner;
  const isReopen = actions[0] === "open";
  const behind = isTake || isReopen ? actions.slice(1) : actions;
  const hidden =
    (behind.length > 0 || more) &&
    menu({
      id: menuId,
      label: "…",
      ariaLabel: `More actions: ${name}`,
      className: "row-menu",
      content: html`<div class="menu">${(behind.length > 0 || assign) && form(behind, assign)}${more}</div>`,
    });
  return {
    take: isTake ? form(["take"], null) : null,
    actions:
      isReopen || hidden ? html`<div class="row-actions">${isReopen && form(["open"], null)}${hidden}</div>` : null,
  };
}

interface RowOptions {
  /** Email address of the member; null: may not change it. */
  readonly email: string | null;
  /** URL of the list, with the row that is in place of this one as its fragment. */
  readonly back: string;
  /** Actions in the menu "…". */
  readonly more: Html | null;
  /** Whether there are others to whom it can be assigned. */
  readonly hasColleagues: boolean;
}

/** Controls to assign what is open to one of the others. */
const assignTo = ({ id, attributes }: Exception, { email, hasColleagues }: RowOptions): Html | null =>
  email !== null && hasColleagues && attributes.status === "open" ? assignControls(`owner-${id}`) : null;

export function rowActions(one: Exception, options: RowOptions): RowActions {
  const { email, back, more } = options;
  const name = nameOf(one);
  const form = (actions: readonly ExceptionAction[], assign: Html | null) =>
    formOf(one, back, html`${assign}${buttons(actions, name)}`);
  const actions = email === null ? [] : actionsOf(one, email);
  return splitActions(actions, {
    form,
    menuId: `more-${one.id}`,
    name,
    more,
    assign: assignTo(one, options),
    hasOwner: one.attributes.owner !== null,
  });
}

/** The actions of a row that stands for several exceptions, for all that allow them. As `rowActions`. */
export function groupActions(
  items: readonly [Exception, ...Exception[]],
  options: RowOptions & {
    /** Name of the row, for screen readers. */
    readonly name: string;
  },
): RowActions {
  const { email, back, more, name } = options;
  const allowed = items.map((one) => ({ id: one.id, actions: email === null ? [] : actionsOf(one, email) }));
  const form = (actions: readonly ExceptionAction[], assign: Html | null) => html`
    <form class="row-actions" method="post" action="/attention/rows" data-keep-place>
      <input type="hidden" name="back" value="${back}">
      ${allowed.map(
        ({ id, actions: own }) =>
          actions.some((action) => own.includes(action)) && html`<input type="hidden" name="id" value="${id}">`,
      )}
      ${assign}${buttons(actions, name)}
    </form>`;
  const actions = actionNames.filter((action) => allowed.some((one) => one.actions.includes(action)));
  return splitActions(actions, {
    form,
    menuId: `more-${items[0].id}`,
    name,
    more,
    assign: assignTo(items[0], options),
    hasOwner: items.some(({ attributes }) => attributes.owner !== null),
  });
}

const doneTexts: Readonly<Record<string, readonly [text: string, undo: string | null]>> = {
  take: ["assigned to you", "release"],
  take_over: ["assigned to you", null],
  assign: ["assigned", "release"],
  assign_over: ["assigned", null],
  snooze: ["snoozed for a day", "open"],
  resolve: ["resolved", "open"],
  open: ["open again", null],
  release: ["without an owner again", null],
};

/** Returns the outcome of an action on exceptions, and the action that undoes it; null for an unknown action. */
export const findOutcome = (action: string) => (Object.hasOwn(doneTexts, action) ? (doneTexts[action] ?? null) : null);

/** Renders the outcome of an action on an exception, with a button that undoes it; null for an unknown action. */
export function doneNote({ id, attributes }: Exception, action: string, back: string): Html | null {
  const outcome = findOutcome(action);
  if (outcome === null) return null;
  const [text, undo] = outcome;
  const assigned = action.startsWith("assign") && attributes.owner !== null ? ` to ${attributes.owner}` : "";
  const form =
    undo &&
    html`
    <form method="post" action="/attention/${id}" data-keep-place>
      <input type="hidden" name="back" value="${back}">
      <button class="quiet" name="action" value="${undo}">Undo</button>
    </form>`;
  return noticeBanner(
    "success",
    html`<p><span class="number">${attributes.number}</span> ${text}${assigned}.</p>${form}`,
    "toast",
  );
}
