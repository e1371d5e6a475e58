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
  /** The address that may answer otherwise when it is asked again; absent: asking again is of no use. */
  readonly retryPath?: string | undefined;
}): Html {
  const { title, text, caller = null, requestId, retryPath } = options;
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
        ${retryPath !== undefined && html`<p><a class="button" href="${retryPath}">Try again</a></p>`}
        <p><a href="/shipments">All shipments</a></p>
      </section>`,
  });
}

/** The answer to a form that did not come from a page of ours. */
export function foreignFormPage(caller: Caller | null = null): Html {
  const text = "The form was sent from another site. Open the page on this site and try again.";
  return messagePage({ title: "Request blocked", text, caller });
}
