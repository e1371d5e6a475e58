import { countText } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import type { Client } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";
import { applyToRows, rowsMax } from "../rows/apply-to-rows.ts";
import { readText } from "../saved-views/view-parameters.ts";
import { findOutcome } from "./exception-actions.ts";

/** Ids in a URL, each with a separator. */
const idsLongest = rowsMax * 37;

/** "3 exceptions resolved."; null for an unknown action. */
export function doneText(action: string, count: number): string | null {
  const outcome = findOutcome(action);
  return outcome && `${countText(count, "exception")} ${outcome[0]}.`;
}

/** Exceptions that have an owner already, before an assignment: undoing it would not give them back to that owner. */
export async function ownedBefore(api: Client, action: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const owned = new Set<string>();
  if (action !== "take" && action !== "assign") return owned;
  await applyToRows(ids, async (id) => {
    const { data } = await api.exceptions.get(id);
    if (data.attributes.owner !== null) owned.add(id);
  });
  return owned;
}

/** The parameters that say what was just done to rows. `undone`: ids of those that Undo is offered for. */
export const doneParameters = (
  action: string,
  count: number,
  undone: readonly string[],
): Readonly<Record<string, string>> => ({
  done: action,
  count: String(count),
  ...(findOutcome(action)?.[1] && undone.length > 0 && { rows: undone.join("_") }),
});

/** Renders the outcome named by `?done=` and `?count=`, with a button that undoes it. `back`: URL of the list. */
export function rowsNote(query: Readonly<Record<string, unknown>>, back: string): Html | null {
  const [action, count] = [readText(query.done, 20), readText(query.count, 4)];
  const text = /^\d{1,3}$/.test(count) ? doneText(action, Number(count)) : null;
  if (text === null) return null;
  const undo = findOutcome(action)?.[1];
  const ids = readText(query.rows, idsLongest).split("_").filter(isUuid);
  const form =
    undo &&
    ids.length > 0 &&
    html`
    <form method="post" action="/attention/rows" data-keep-place>
      <input type="hidden" name="back" value="${back}">
      ${ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)}
      <button class="quiet" name="action" value="${undo}">Undo</button>
    </form>`;
  return noticeBanner("success", html`<p>${text}</p>${form}`, "toast");
}
