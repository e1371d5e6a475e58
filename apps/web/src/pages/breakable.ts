import { type Html, html } from "../http/html.ts";

/** A name of an event or an address, which a narrow column breaks after its dots, slashes and underscores, other than before a digit. */
export const breakable = (name: string): readonly Html[] =>
  name.split(/(?<=[./_])(?=[a-z])/i).map((piece, index) => html`${index > 0 && html`<wbr>`}${piece}`);
