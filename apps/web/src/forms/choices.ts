import { type Html, type HtmlValue, html } from "@svc/views";
import { labelled, marks, type Problems } from "./field.ts";

/** `chosen`: the value of the checked one. */
export const radio = (name: string, value: string, label: HtmlValue, chosen: string): Html =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>
    <span>${label}</span></label>`;

export function checkbox(
  name: string,
  label: HtmlValue,
  options: { readonly value?: string; readonly isChecked?: boolean; readonly isDisabled?: boolean } = {},
): Html {
  const { value = "yes", isChecked = false, isDisabled = false } = options;
  const state = html`${isChecked && html` checked`}${isDisabled && html` disabled`}`;
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${state}>
    <span>${label}</span></label>`;
}

/** An option of a select. `chosen`: the selected value; null: the empty one. */
export const option = (value: string, label: string, chosen: string | null): Html =>
  html`<option value="${value}"${value === (chosen ?? "") && html` selected`}>${label}</option>`;

/** A select with its label, hint and problem. */
export function choice(
  options: {
    readonly name: string;
    readonly label: string;
    readonly chosen: string;
    readonly problems: Problems;
    readonly hint?: string;
  },
  values: readonly (readonly [value: string, label: string])[],
): Html {
  const { name, chosen, problems, hint } = options;
  const choices = values.map(([value, label]) => option(value, label, chosen));
  return labelled({
    ...options,
    control: html`<select id="${name}" name="${name}"${marks(problems, name, { hasHint: hint !== undefined })}>${choices}</select>`,
  });
}
