import { type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { layout } from "./layout.ts";

/** A page with one message and a link. */
export function messagePage(options: {
  readonly title: string;
  readonly text: string;
  readonly caller?: Caller | null;
  /** Identifies the request in the log. */
  readonly requestId?: string;
  /** The address to retry; absent when a retry cannot succeed. */
  readonly retryPath?: string | undefined;
  /** Sends the submitted form again. */
  readonly retryForm?: Html | null | undefined;
}): Html {
  const { title, text, caller = null, requestId, retryPath, retryForm } = options;
  return layout({
    title,
    caller,
    section: null,
    content: html`
      <section class="narrow card">
        <h1>${title}</h1>
        <p>${text}</p>
        ${retryPath !== undefined && html`<p><a class="button" href="${retryPath}">Try again</a></p>`}
        ${retryForm && html`<p>What you entered stays on this page.</p>${retryForm}`}
        <p class="actions"><a class="button quiet" href="/">Home</a>
          <a class="button quiet" href="/shipments">All shipments</a></p>
        ${requestId && html`<p class="muted request-id">Request <code>${requestId}</code></p>`}
      </section>`,
  });
}

/** The response to a form that another site submitted. */
export function foreignFormPage(caller: Caller | null = null): Html {
  const text = "The form was sent from another site. Open the page on this site and try again.";
  return messagePage({ title: "Request blocked", text, caller });
}
