import type { ExceptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";

/** Buttons of the form, by the action that they submit. */
export const actionWords = {
  take: "Assign to me",
  snooze: "Snooze 1 day",
  resolve: "Resolve",
  open: "Reopen",
} as const;

export type ExceptionAction = keyof typeof actionWords;

/** One-click actions of an exception, as a form that works without JavaScript. `back`: URL of the page it is on. */
export function exceptionActions(one: ExceptionResource, email: string, back: string): Html | null {
  const { status, owner, ended_at: ended, summary, number } = one.attributes;
  if (ended !== null) return null;
  const actions: readonly ExceptionAction[] =
    status === "open" ? [...(owner === email ? [] : (["take"] as const)), "snooze", "resolve"] : ["open"];
  const button = (action: ExceptionAction) =>
    html`<button class="quiet" name="action" value="${action}" aria-label="${actionWords[action]}: ${summary}, ${number}">${actionWords[action]}</button>`;
  return html`
    <form class="row-actions" method="post" action="/attention/${one.id}">
      <input type="hidden" name="back" value="${back}">${actions.map(button)}
    </form>`;
}
