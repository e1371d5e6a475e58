import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { layout } from "./layout.ts";

/** One thing to say, and a way on. */
export function messagePage(options: {
  readonly title: string;
  readonly text: string;
  readonly caller?: Caller | null;
  /** By which the request is found in the log. */
  readonly requestId?: string;
}): Html {
  const { title, text, caller = null, requestId } = options;
  return layout({
    title,
    caller,
    section: null,
    jumpBox: caller !== null,
    content: html`
      <section class="narrow card">
        <h1>${title}</h1>
        <p>${text}</p>
        ${requestId && html`<p class="muted">Request <code>${requestId}</code></p>`}
        <p><a href="/shipments">All shipments</a></p>
      </section>`,
  });
}

/** The answer to a form that did not come from a page of ours. */
export function foreignFormPage(caller: Caller | null = null): Html {
  const text = "This form was sent from another site. Open the page here and try again.";
  return messagePage({ title: "Not from here", text, caller });
}
