import { type Html, type HtmlValue, html } from "@svc/views";
import { fieldProblem, type Problems } from "./field.ts";

export const radio = (name: string, value: string, isChosen: boolean, words: HtmlValue): Html =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${isChosen && html` checked`}>
    <span>${words}</span></label>`;

export const checkbox = (
  name: string,
  value: string,
  isChosen: boolean,
  words: HtmlValue,
  isDisabled = false,
): Html => {
  const state = html`${isChosen && html` checked`}${isDisabled && html` disabled`}`;
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${state}>
    <span>${words}</span></label>`;
};

/** A select with its label and problem. */
export function choice(
  options: { readonly name: string; readonly label: string; readonly chosen: string; readonly problems: Problems },
  values: readonly (readonly [value: string, words: string])[],
): Html {
  const { name, label, chosen, problems } = options;
  const problem = problems[name] !== undefined && html` aria-invalid="true" aria-describedby="${name}-problem"`;
  return html`
    <div class="field"><label for="${name}">${label}</label>
      <select id="${name}" name="${name}"${problem}>${values.map(
        ([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
      )}</select>
      ${fieldProblem(problems, name)}</div>`;
}
