import { type Html, html } from "@svc/views";

/** An email address that may break after its "@". Other texts stay as they are. */
export function withBreakAfterAt(text: string): Html {
  const [name, domain] = text.split("@");
  return html`${name}${domain !== undefined && html`@<wbr>${domain}`}`;
}
