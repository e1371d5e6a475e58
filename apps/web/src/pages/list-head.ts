import { type Html, html } from "@svc/views";
import { part } from "./live-page.ts";
import { menu } from "./menu.ts";

export interface ListHeadOptions {
  readonly heading: string;
  /** The search field and filters. */
  readonly form: Html;
  /** How many records the list has. */
  readonly count: Html | null;
  /** The menus and buttons of the list; a phone has them in one menu. */
  readonly tools: Html | null;
}

const foldedTools = (tools: Html): Html =>
  menu({
    id: "list-tools",
    label: "…",
    ariaLabel: "More actions",
    className: "row-menu fold",
    content: html`<div class="tools">${tools}</div>`,
  });

/** The head of a list, on one line of a wide window. */
export const listHead = ({ heading, form, count, tools }: ListHeadOptions): Html => html`
  <div class="list-head"><h1>${heading}</h1>
    ${form}
    ${part("count", count)}
    ${part("tools", tools && foldedTools(tools))}</div>`;
