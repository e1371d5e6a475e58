import { type Html, type HtmlValue, html } from "@svc/views";

/** The card of a page that asks before it does something: its button and, beside it, the one way to cancel. */
export function questionCard(options: {
  readonly heading: HtmlValue;
  /** What follows from it. */
  readonly content: HtmlValue;
  /** Path that the form is submitted to. */
  readonly action: string;
  /** Fields of the form, above its buttons. */
  readonly fields?: HtmlValue;
  readonly button: string;
  readonly cancelPath: string;
  /** Whether nothing is lost by it. Default: something is. */
  readonly isHarmless?: boolean;
}): Html {
  const { heading, content, action, fields, button, cancelPath, isHarmless = false } = options;
  return html`
    <section class="narrow card question">
      <h1>${heading}</h1>
      ${content}
      <form method="post" action="${action}">
        ${fields}
        <p class="actions"><button${!isHarmless && html` class="danger"`}>${button}</button>
          <a href="${cancelPath}">Cancel</a></p>
      </form>
    </section>`;
}
