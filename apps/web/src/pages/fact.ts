import { type Html, type HtmlValue, html } from "@svc/views";

/** An entry of a description list; null without a value. */
export const fact = (term: string, value: HtmlValue): Html | null =>
  value === null ? null : html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
