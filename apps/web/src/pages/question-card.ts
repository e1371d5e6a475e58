import { type Html, type HtmlValue, html } from "@svc/views";

/** Asks before an action that cannot be undone: what it does, the form that does it, and the way back. */
export const questionCard = (question: {
  readonly heading: string;
  /** A problem, and what the action does. */
  readonly content: HtmlValue;
  /** Address of the form. */
  readonly action: string;
  /** Fields of the form. */
  readonly fields?: HtmlValue;
  readonly button: Html;
  /** Address of the page to return to. */
  readonly back: string;
}): Html => html`
  <section class="narrow card">
    <h1>${question.heading}</h1>
    ${question.content}
    <form method="post" action="${question.action}">${question.fields}${question.button}</form>
    <p class="actions"><a href="${question.back}">Cancel</a></p>
  </section>`;
