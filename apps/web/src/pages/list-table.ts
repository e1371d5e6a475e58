import { type Html, html } from "../http/html.ts";

export { listTable } from "@svc/views";

/** The heading of a column of buttons, which only screen readers need. */
export const actionsColumn: Html = html`<th scope="col"><span class="hidden">Actions</span></th>`;

/** The heading of a column that narrow screens leave out. */
export const wideColumn = (words: string): Html => html`<th class="wide" scope="col">${words}</th>`;
