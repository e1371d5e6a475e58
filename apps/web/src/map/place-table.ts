import { type Html, html } from "@svc/views";

/** A narrow table beside the map: a name with its link, a number or a status, and the states. */
export function placeTable(options: {
  readonly caption: string;
  readonly columns: readonly [string, string, string];
  /** Whether the second column has numbers. */
  readonly hasAmounts: boolean;
  readonly rows: readonly {
    readonly name: Html;
    readonly second: Html;
    readonly state: Html;
    readonly isChosen?: boolean;
  }[];
}): Html {
  const { caption, columns, hasAmounts, rows } = options;
  const [first, second, third] = columns;
  const classAttribute = hasAmounts && html` class="amount"`;
  return html`
    <table class="places">
      <caption class="hidden">${caption}</caption>
      <thead><tr><th scope="col">${first}</th><th scope="col"${classAttribute}>${second}</th>
        <th scope="col">${third}</th></tr></thead>
      <tbody>${rows.map(
        (row) => html`
        <tr${row.isChosen && html` class="chosen-row"`}><th scope="row">${row.name}</th>
          <td${classAttribute}>${row.second}</td><td>${row.state}</td></tr>`,
      )}</tbody>
    </table>`;
}
