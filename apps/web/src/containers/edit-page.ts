import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { definedFieldInputs } from "../custom-fields/defined-field-inputs.ts";
import type { DefinedField } from "../custom-fields/read-defined-fields.ts";
import { formProblem, labelled, marks, type Problems } from "../forms/field.ts";
import { beforeInputs, type Texts } from "../forms/merge-edit.ts";
import { layout } from "../pages/layout.ts";
import { pageHead } from "../pages/page-head.ts";

/** `GET /containers/{id}/edit`: the attributes of a container that users may change. */
export function containerEditPage(options: {
  readonly caller: Caller;
  readonly container: { readonly id: string; readonly number: string };
  /** Texts of the fields; references one per line, because a reference may contain a comma. */
  readonly texts: Texts;
  /** Texts of the fields in the stored container. */
  readonly present: Texts;
  readonly problems: Problems;
  readonly definedFields: readonly DefinedField[];
}): Html {
  const { caller, container, texts, present, problems, definedFields } = options;
  const { id, number } = container;
  return layout({
    title: `Edit ${number}`,
    section: "containers",
    caller,
    content: html`
      ${pageHead({
        heading: html`Edit <span class="number">${number}</span>`,
        path: html`<a href="/containers">Containers</a> / <a href="/containers/${id}">${number}</a> / Edit`,
      })}
      ${formProblem(problems)}
      <form class="card form" method="post" action="/containers/${id}/edit">
        ${beforeInputs(present)}
        ${labelled({
          name: "references",
          label: "References",
          problems,
          hint: "One per line.",
          control: html`<textarea id="references" name="references" rows="4"${marks(problems, "references", { hasHint: true })}>${texts.get("references")}</textarea>`,
        })}
        ${definedFieldInputs(definedFields, texts, problems)}
        <p class="actions"><button>Save</button> <a href="/containers/${id}">Cancel</a></p>
      </form>`,
  });
}
