import type { Namesake } from "@svc/persistence/search";
import { type Html, html } from "../http/html.ts";

/** Maximum number of shipments to list; more are only mentioned. */
export const namesakesShown = 5;
const referencesShown = 3;

/**
 * Lists other shipments with the same reference, because a reader who searched for it may want one of them.
 * `namesakes`: newest first, one more than is shown when there are more.
 */
export function namesakesNote(namesakes: readonly Namesake[]): Html | null {
  if (namesakes.length === 0) return null;
  const shown = namesakes.slice(0, namesakesShown);
  const count = namesakes.length > namesakesShown ? `More than ${namesakesShown}` : String(namesakes.length);
  const references = [...new Set(shown.flatMap((one) => one.references))];
  const [only = ""] = references;
  const what = references.length === 1 ? only : "a reference of this one";
  const link = ({ id, number }: Namesake, index: number) =>
    html`${index > 0 && ", "}<a class="number" href="/shipments/${id}">${number}</a>`;
  const search = (reference: string, index: number) =>
    html`${index > 0 && ", "}<a href="/shipments?q=${encodeURIComponent(reference.toWellFormed())}">${reference}</a>`;
  return html`
    <p class="notice">${count} other ${namesakes.length === 1 ? "shipment shares" : "shipments share"} ${what}:
      ${shown.map(link)}.
      Search for ${references.slice(0, referencesShown).map(search)}.</p>`;
}
