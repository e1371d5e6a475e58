import type { MappedShipment } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { definedFieldInputs } from "../custom-fields/defined-field-inputs.ts";
import type { DefinedField } from "../custom-fields/read-defined-fields.ts";
import { customerHint, customerInput } from "../customers/customer-names.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { beforeInputs, type Texts } from "../forms/merge-edit.ts";
import { memberSuggestions, mentionHint } from "../notes/note-markup.ts";
import { layout } from "../pages/layout.ts";
import { pageHead } from "../pages/page-head.ts";
import { stopNote } from "./shipment-labels.ts";

export interface EditPageOptions {
  readonly caller: Caller;
  readonly shipment: MappedShipment;
  /** Texts of the fields; references and tags one per line, because a reference may contain a comma. */
  readonly texts: Texts;
  /** Texts of the fields in the stored shipment. */
  readonly present: Texts;
  readonly problems: Problems;
  readonly customerNames: readonly string[];
  readonly definedFields: readonly DefinedField[];
  /** Whether members whom the note mentions are notified. */
  readonly sendsMail: boolean;
  /** Email addresses of the members. */
  readonly members: readonly string[];
}

/** `GET /shipments/{id}/edit`: the attributes of a shipment that users may change. */
export function editPage(options: EditPageOptions): Html {
  const { caller, shipment, texts, present, problems, customerNames, definedFields, sendsMail, members } = options;
  const { id, billOfLadingNumber } = shipment;
  const stopped = stopNote(shipment);
  const lines = (name: "references" | "tags" | "note") =>
    html`<textarea id="${name}" name="${name}" rows="4"${marks(problems, name, { hasHint: true })}>${texts.get(name)}</textarea>`;
  const hint = "One per line.";
  const tagHint = "Separated by commas or lines.";
  const about = "For the members of this account, up to 2,000 characters. Public links do not show it.";
  const noteHint = sendsMail ? `${about} ${mentionHint}` : about;
  return layout({
    title: `Edit ${billOfLadingNumber}`,
    caller,
    content: html`
      ${pageHead({
        heading: html`Edit <span class="number">${billOfLadingNumber}</span>`,
        path: html`<a href="/shipments">Shipments</a> / <a href="/shipments/${id}">${billOfLadingNumber}</a> / Edit`,
      })}
      ${formProblem(problems)}
      <form class="card form" method="post" action="/shipments/${id}/edit">
        ${beforeInputs(present)}
        ${labelled({ name: "references", label: "References", problems, hint, control: lines("references") })}
        ${labelled({ name: "tags", label: "Tags", problems, hint: tagHint, control: lines("tags") })}
        ${labelled({
          name: "customer",
          label: "Customer",
          problems,
          hint: customerHint,
          control: customerInput(
            texts.get("customer") ?? "",
            customerNames,
            marks(problems, "customer", { hasHint: true }),
          ),
        })}
        ${labelled({ name: "note", label: "Note", problems, hint: noteHint, control: lines("note") })}
        ${sendsMail && memberSuggestions("note", members)}
        ${definedFieldInputs(definedFields, texts, problems)}
        <p class="actions"><button>Save</button> <a href="/shipments/${id}">Cancel</a></p>
      </form>
      <form class="card form" method="post" action="/shipments/${id}/tracking">
        <h2>Tracking</h2>
        <p>${stopped ?? "The carrier is polled for updates to this shipment."}</p>
        ${
          stopped
            ? html`<button class="quiet" name="action" value="resume">Resume tracking</button>`
            : html`<button class="quiet" name="action" value="stop">Stop tracking</button>`
        }
      </form>`,
  });
}
