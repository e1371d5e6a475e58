import { type Html, html, noValue } from "./html.ts";
import { actionsColumn, listTable } from "./list-table.ts";

export { kindLabel, kindLabels } from "./exception-kinds.ts";

/** One exception of a list. Paths are those of pages; null: there is no page. */
export interface ExceptionRow {
  /** Number of the container, shipment or tracking request. */
  readonly number: string;
  readonly numberPath: string | null;
  /** Bill of lading or booking number; null: not known, or the number itself. */
  readonly shipmentNumber: string | null;
  /** Customer and ports, on one line; null: not known. */
  readonly context: string | null;
  readonly summary: string;
  readonly summaryPath: string | null;
  readonly isUrgent: boolean;
  /** What it costs; absent or null: nothing is known, in every row: a list without this column. */
  readonly cost?: Html | null;
  readonly cause: string | null;
  /** A link to what ends the exception; absent or null: none. */
  readonly step?: Html | null;
  readonly note: string | null;
  readonly owner: string | null;
  /** The form that makes the reader the owner, while there is none; absent or null: the reader may not. */
  readonly take?: Html | null;
  /** Time since or until when the exception has its status. */
  readonly since: Html;
  /** Forms that change the exception; null in every row: a list for reading. */
  readonly actions: Html | null;
  /** Id of the row, for links to it. */
  readonly id?: string;
  /** The box that selects the row. */
  readonly box?: Html | null;
  /** The exceptions that the row stands for, if it stands for several, folded below its summary. */
  readonly members?: Html;
  /** The row above is of the same subject. */
  readonly isSameSubject?: boolean;
}

function subject({ number, numberPath, shipmentNumber, context, isSameSubject = false }: ExceptionRow): Html {
  if (isSameSubject) return html`<span class="number muted">${number}</span>`;
  const name = numberPath
    ? html`<a class="row-link number" href="${numberPath}">${number}</a>`
    : html`<span class="row-link number">${number}</span>`;
  return html`${name}
    ${shipmentNumber && html`<span class="number muted">${shipmentNumber}</span>`}
    ${context && html`<span class="one-line muted" title="${context}">${context}</span>`}`;
}

function finding({ summary, summaryPath, isUrgent, cause, step, note, members }: ExceptionRow): Html {
  const classAttribute = html` class="${isUrgent ? "late" : "warning"}"`;
  const title = summaryPath
    ? html`<a href="${summaryPath}"${classAttribute}>${summary}</a>`
    : html`<span${classAttribute}>${summary}</span>`;
  return html`${members ?? title}
    ${cause && html`<span class="below muted cause" title="${cause}">${cause}</span>`}
    ${step}
    ${note && html`<span class="below one-line" title="${note}">${note}</span>`}`;
}

/**
 * Exceptions as a table, in the given order. `allRows`: the box that selects all of them. `sinceHeading`: of the times
 * beside the owners, where a style sheet shows them as a column; each cell says it to screen readers.
 */
export function exceptionTable(
  rows: readonly ExceptionRow[],
  {
    allRows = null,
    sinceHeading = null,
  }: { readonly allRows?: Html | null; readonly sinceHeading?: string | null } = {},
): Html {
  const hasActions = rows.some(({ actions }) => actions !== null);
  const hasCost = rows.some(({ cost }) => cost != null);
  const owner = ({ owner, take }: ExceptionRow) =>
    owner === null && take
      ? html`<span class="hidden">No owner</span>${take}`
      : html`<span class="one-line"${owner && html` title="${owner}"`}>${owner ?? "No owner"}</span>`;
  const row = (one: ExceptionRow) => html`
    <tr${one.id && html` id="${one.id}"`}${one.isSameSubject && html` class="same"`}>
      <th scope="row" data-label="Number">${one.box}${subject(one)}</th>
      <td data-label="Exception">${finding(one)}</td>
      ${hasCost && html`<td class="amount" data-label="Charges">${one.cost ?? noValue}</td>`}
      <td data-label="Owner">${owner(one)}${one.since}</td>
      ${hasActions && html`<td data-label="Actions">${one.actions}</td>`}
    </tr>`;
  return listTable({
    className: `dense cards attention${hasCost ? " priced" : ""}${allRows ? " picks" : ""}`,
    caption: "Exceptions, the most urgent first",
    columns: [
      html`<th scope="col">${allRows}Number</th>`,
      "Exception",
      ...(hasCost ? [html`<th class="amount" scope="col">Charges</th>`] : []),
      html`<th scope="col">Owner${sinceHeading && html`<span class="since" aria-hidden="true">${sinceHeading}</span>`}</th>`,
      ...(hasActions ? [actionsColumn] : []),
    ],
    rows: rows.map(row),
  });
}
