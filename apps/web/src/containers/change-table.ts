import { eventWords, type Html, html, listTable, localTime, localTimeText, sourceWords } from "@svc/views";
import type { ShownChange } from "../shipments/api-records.ts";

const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const longest = 160;

/** A stored value as text: times are formatted, strings are unchanged, objects and arrays are JSON. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string" && timeShape.test(value)) return localTimeText(value as never, "UTC");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** "podEtaAt" as "Pod eta at". */
const fieldWords = (field: string): string =>
  eventWords(field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** Attribute changes, most recent first. */
export function changeTable(changes: readonly ShownChange[], caption: string): Html {
  if (changes.length === 0) return html`<p class="muted">No value has changed yet.</p>`;
  const row = ({ field, value, previousValue, validFrom, dataSource, rule }: ShownChange) => html`
    <tr><th scope="row" data-label="When">${localTime(validFrom, "UTC")}</th>
      <td data-label="Value">${fieldWords(field)}</td>
      <td data-label="From">${valueText(previousValue)}</td><td data-label="To">${valueText(value)}</td>
      <td data-label="Source">${sourceWords[dataSource]} <span class="muted">${rule}</span></td></tr>`;
  return listTable({ caption: caption, columns: ["When", "Value", "From", "To", "Source"], rows: changes.map(row) });
}
