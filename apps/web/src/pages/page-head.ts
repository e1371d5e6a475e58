import { type Html, type HtmlValue, html } from "@svc/views";

/**
 * The head of a page: its heading, which has the same place on every page, with what belongs beside it (`aside`:
 * buttons, the state of the record), and below it the path to the page and the tabs of its section.
 */
export function pageHead(options: {
  readonly heading: HtmlValue;
  readonly aside?: HtmlValue;
  /** Links to the pages above this one, separated by " / ". */
  readonly path?: HtmlValue;
  readonly tabs?: HtmlValue;
}): Html {
  const { heading, aside, path, tabs } = options;
  return html`
    <div class="page-head"><h1>${heading}</h1>${aside}</div>
    ${path && html`<p class="muted path">${path}</p>`}
    ${tabs}`;
}
