import { type Html, html, listTable, noValue } from "@svc/views";
import { sendRows } from "../exports/send-rows.ts";
import type { PageHandler } from "../http/handler.ts";

/** A column of a file that a form takes. */
export interface FileColumn {
  readonly name: string;
  /** When a row needs it: true: always. */
  readonly required?: true | string;
  readonly meaning: string;
  /** Value of the example row; empty: it leaves the column out. */
  readonly example: string;
}

/** What a file may contain, column by column. */
export function columnTable(columns: readonly FileColumn[]): Html {
  const requirement = ({ required }: FileColumn) => (required === true ? "Yes" : (required ?? noValue));
  return html`
    <section class="card" id="columns">
      <h2>Columns</h2>
      ${listTable({
        caption: "Columns of the file",
        columns: ["Column", "Required", "Meaning", "Example"],
        rows: columns.map(
          (column) => html`
            <tr><th scope="row" data-label="Column"><code>${column.name}</code></th>
              <td data-label="Required">${requirement(column)}</td>
              <td data-label="Meaning" class="wrap">${column.meaning}</td>
              <td data-label="Example">${
                column.example === "" ? noValue : html`<code>${column.example}</code>`
              }</td></tr>`,
        ),
      })}
    </section>`;
}

/** A link to the file of `sendTemplate`. */
export const templateLink = (path: string): Html => html`<a href="${path}" download>Download template (CSV)</a>`;

/** Sends a file with the header line and one example row. */
export function sendTemplate(name: string, columns: readonly FileColumn[]): PageHandler {
  async function* rows() {
    yield Object.fromEntries(columns.map(({ name: column, example }) => [column, example]));
  }
  return (request, response) =>
    sendRows(request, response, { name, columns: columns.map(({ name: column }) => column), rows: rows() });
}
