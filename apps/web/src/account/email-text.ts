import { type Html, html } from "@svc/views";

/** A text, such as an email address, that may break after each "@". */
export function withBreakAfterAt(text: string): Html {
  return html`${text.split("@").map((part, index) => html`${index > 0 && html`@<wbr>`}${part}`)}`;
}
