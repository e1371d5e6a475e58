import { type Html, html } from "@svc/views";

/** An event name or URL that may break after dots, slashes and underscores that a letter follows. */
export const withWordBreaks = (name: string): readonly Html[] =>
  name.split(/(?<=[./_])(?=[a-z])/i).map((segment, index) => html`${index > 0 && html`<wbr>`}${segment}`);
