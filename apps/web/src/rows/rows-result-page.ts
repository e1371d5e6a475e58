import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout, type Section } from "../pages/layout.ts";
import { pageHead } from "../pages/page-head.ts";
import type { RowResults } from "./apply-to-rows.ts";

/** Renders the failures of an action on several rows. `names`: of the records, by id. `done`: ids of the others. */
export function rowsResultPage(options: {
  readonly caller: Caller;
  readonly section: Section;
  readonly results: RowResults;
  readonly names: ReadonlyMap<string, string>;
  /** "3 exceptions resolved." */
  readonly done: string;
  readonly back: string;
}): Html {
  const { caller, section, results, names, done, back } = options;
  const { failed } = results;
  const item = ({ id, reason }: (typeof failed)[number]) =>
    html`<li><span class="number">${names.get(id) ?? id}</span>: ${reason}</li>`;
  return layout({
    title: "Not every row was changed",
    caller,
    section,
    content: html`
      ${pageHead({ heading: "Not every row was changed" })}
      <section class="card"><p>${done}</p>
        <p class="late">Failed: ${failed.length}</p>
        <ul>${failed.map(item)}</ul>
        <p><a class="button" href="${back}">Back to the list</a></p></section>`,
  });
}
