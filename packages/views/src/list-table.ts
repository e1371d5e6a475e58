import { type Html, type HtmlValue, html } from "./html.ts";

/**
 * A table of records. `columns`: the texts of the headings, or whole cells. `className`: additional classes, separated
 * by spaces.
 */
export function listTable(options: {
  readonly caption: string;
  readonly columns: readonly (string | Html)[];
  readonly rows: HtmlValue;
  readonly className?: string;
}): Html {
  const { caption, columns, rows, className } = options;
  const cell = (column: string | Html) => (typeof column === "string" ? html`<th scope="col">${column}</th>` : column);
  return html`
    <table class="list${className && ` ${className}`}">
      <caption class="hidden">${caption}</caption>
      <thead><tr>${columns.map(cell)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>`;
}

/** A table of figures by name and carrier, whose first two columns are text; it scrolls where it does not fit. */
export const metricsTable = (options: Omit<Parameters<typeof listTable>[0], "className">): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${options.caption}">${listTable({ ...options, className: "figures-table" })}</div>`;

/** The heading of a column of buttons, which only screen readers need. */
export const actionsColumn: Html = html`<th scope="col"><span class="hidden">Actions</span></th>`;

/** The heading of a column that narrow screens leave out. */
export const wideColumn = (label: string): Html => html`<th class="wide" scope="col">${label}</th>`;
