import { type Html, type HtmlValue, html } from "@svc/views";

/** The id of the form of a list; the boxes of its rows name it. */
const formId = "rows-form";

/** The box that selects a row. `value`: what the form submits; `name`: of the record, for screen readers. */
export const rowCheckbox = (value: string, name: string): Html =>
  html`<input class="pick" type="checkbox" name="id" value="${value}" form="${formId}" aria-label="Select ${name}">`;

/** The box that selects the boxes of a row that has several. `name`: of the row, for screen readers. */
export const groupCheckbox = (name: string): Html =>
  html`<input class="pick needs-script" type="checkbox" data-pick-group aria-label="Select ${name}">`;

/** The box in the heading that selects every row of the page; it needs a script. */
export const allRowsCheckbox: Html = html`<input class="pick needs-script" type="checkbox" data-pick-all
  aria-label="Select all on this page">`;

/**
 * The form of the selected rows: a bar over the lower end of the window, which the style sheet shows while a box is
 * checked. Its reset clears the boxes, which belong to it. `back`: the URL of the list. The submitting button has the
 * name `action`.
 */
export function rowsForm(action: string, back: string, controls: HtmlValue): Html {
  return html`
    <form class="rows-bar" id="${formId}" method="post" action="${action}" data-keep-place aria-label="Selected rows">
      <input type="hidden" name="back" value="${back}">
      <button class="quiet" type="reset" aria-label="Clear the selection" title="Clear the selection">×</button>
      <span class="picked" role="status" data-picked>Selected rows</span>
      ${controls}
    </form>`;
}

/** `rest`: the end of the name, which narrow windows do not show. */
export const rowsButton = (action: string, label: string, rest = ""): Html =>
  html`<button class="quiet" name="action" value="${action}">${label}${rest && html`<span class="rows-bar-rest"> ${rest}</span>`}</button>`;
