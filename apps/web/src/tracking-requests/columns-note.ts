import { type Html, html } from "@svc/views";
import type { ColumnUse } from "./read-numbers.ts";

const labels = {
  number: "Number",
  carrier: "Carrier",
  customer: "Customer",
  reference: "Reference",
} as const satisfies Readonly<Record<NonNullable<ColumnUse["use"]>, string>>;

const quoted = ({ name }: ColumnUse): string => `“${name}”`;

/** Names of the columns that are not used, as a form confirms them. */
export const ignoredColumns = (columns: readonly ColumnUse[] | null): string =>
  (columns ?? []).flatMap((column) => (column.use === null ? quoted(column) : [])).join(", ");

/** What each column of a table is used as. Null: the list has no header. */
export function columnsNote(columns: readonly ColumnUse[] | null): Html | null {
  if (columns === null) return null;
  const used = Object.entries(labels).flatMap(([use, label]) => {
    const names = columns.filter((column) => column.use === use).map(quoted);
    return names.length === 0 ? [] : `${label}: ${names.join(", ")}`;
  });
  const ignored = ignoredColumns(columns);
  return html`
    <p>Columns used: ${used.join("; ")}. ${ignored !== "" && html`<strong>Not used: ${ignored}.</strong>`}</p>`;
}

/** Asks to send a table again, and names the columns that would be left out. */
export const unusedColumns = (columns: readonly ColumnUse[]): Html => html`
  <section class="card" role="alert" aria-labelledby="unused">
    <h2 id="unused">Nothing is sent yet: some columns are not used</h2>
    ${columnsNote(columns)}
    <p>Choose <em>Track all</em> to send the numbers without them. Or name the columns Number, Carrier, Customer or
      Reference in the first line below.</p>
  </section>`;
