import { type Html, html } from "@svc/views";

/** Rows that a phone shows at first (browser/tables.css). */
const visibleRowsMax = 5;

/**
 * A table whose rows are cards on a phone: there, of more than five rows the rest is folded, without a script. `id`: of
 * the fold, unique in the page, so that an update of the page keeps it open.
 */
export const longTable = (table: Html, { id, count }: { readonly id: string; readonly count: number }): Html => html`
  <div class="long-table">${table}
    ${
      count > visibleRowsMax &&
      html`<details class="more-rows" id="${id}"><summary>All ${count} rows</summary></details>`
    }</div>`;
