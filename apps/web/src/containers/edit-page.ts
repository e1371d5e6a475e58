import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { type DefinedField, definedFieldInputs, type EnteredFields } from "../custom-fields/defined-fields.ts";
import { layout } from "../pages/layout.ts";
import { type FieldProblems, field, formProblem, marks } from "../requests/request-fields.ts";

export interface ContainerEditForm {
  /** One per line, because a reference may contain a comma. */
  readonly references: string;
  readonly custom: EnteredFields;
  /** ETag of the version shown in the form. */
  readonly entityTag: string;
}

/** `GET /containers/{id}/edit`: the attributes of a container that users may change. */
export function containerEditPage(options: {
  readonly caller: Caller;
  readonly container: { readonly id: string; readonly number: string };
  readonly form: ContainerEditForm;
  readonly problems: FieldProblems;
  readonly definedFields: readonly DefinedField[];
}): Html {
  const { caller, container, form, problems, definedFields } = options;
  const { id, number } = container;
  return layout({
    title: `Edit ${number}`,
    caller,
    jumpBox: true,
    content: html`
      <p class="muted"><a href="/containers">Containers</a> / <a href="/containers/${id}">${number}</a> / Edit</p>
      <h1>Edit <span class="number">${number}</span></h1>
      ${formProblem(problems)}
      <form class="card form" method="post" action="/containers/${id}/edit">
        <input type="hidden" name="version" value="${form.entityTag}">
        ${field({
          name: "references",
          label: "References",
          problems,
          hint: "One per line.",
          control: html`<textarea id="references" name="references" rows="4"${marks(problems, "references", "hint-references")}>${form.references}</textarea>`,
        })}
        ${definedFieldInputs(definedFields, form.custom, problems)}
        <button>Save</button> <a href="/containers/${id}">Cancel</a>
      </form>`,
  });
}
