import { type Html, html } from "../http/html.ts";

/** A text to be copied as it is. The button appears where scripts run; `of` says what it copies: "the command". */
export function snippet({ id, text, of }: { readonly id: string; readonly text: string; readonly of: string }): Html {
  return html`
    <div class="snippet">
      <pre tabindex="0" id="${id}">${text}</pre>
      <button class="quiet" type="button" data-copies="${id}" aria-label="Copy ${of}">Copy</button>
    </div>`;
}
