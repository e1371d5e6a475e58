import { type Html, html } from "@svc/views";
import { type NamedRecords, recordCountText } from "./find-named.ts";

type PathBuilder = (filter: NamedRecords["filter"]) => string;

/** Note beside other records with the text: "Acme is also a customer: 11 shipments". */
export function namedNote(named: readonly NamedRecords[], pathOf: PathBuilder): Html | null {
  if (named.length === 0) return null;
  return html`${named.map(
    (one) => html`
      <p>“${one.name}” is also a ${one.kind.toLowerCase()}:
        <a href="${pathOf(one.filter)}">${recordCountText(one)}</a></p>`,
  )}`;
}

/** List for a text that no record has. */
export function namedList(named: readonly NamedRecords[], pathOf: PathBuilder): Html | null {
  const [first] = named;
  if (first === undefined) return null;
  return html`
    <p>${first.of === "shipment" ? "Shipments" : "Containers"} with this vessel, port, customer or tag:</p>
    <ul>${named.map(
      (one) => html`<li><a href="${pathOf(one.filter)}">${one.kind} ${one.name}</a>: ${recordCountText(one)}</li>`,
    )}</ul>`;
}

/** Renders the only name of the text, above its rows. */
export const matchedNameNote = (input: string, [only]: readonly NamedRecords[]): Html | null =>
  only
    ? html`<p>No number or reference has “${input}”. These are the containers of the
        ${only.kind.toLowerCase()} ${only.name}.</p>`
    : null;
