import { type Html, type HtmlValue, html } from "@svc/views";

/**
 * The head of a page: its heading, which has the same place on every page, with what belongs beside it (`aside`:
 * buttons, the state of the record), above it the path to the page, and below it the tabs of its section.
 */
export function pageHead(options: {
  /** Null: the content has its own, in a card that asks one question. */
  readonly heading: HtmlValue;
  readonly aside?: HtmlValue;
  /** Links to the pages above this one, separated by " / ". */
  readonly path?: HtmlValue;
  readonly tabs?: HtmlValue;
}): Html {
  const { heading, aside, path, tabs } = options;
  return html`
    ${path && html`<p class="muted crumbs">${path}</p>`}
    ${heading !== null && html`<div class="page-head"><h1>${heading}</h1>${aside}</div>`}
    ${tabs}`;
}
