import { type Html, html } from "@svc/views";

/** A text to copy. The button appears only where scripts run; `of` names what it copies: "the command". */
export function snippet({ id, text, of }: { readonly id: string; readonly text: string; readonly of: string }): Html {
  return html`
    <div class="snippet">
      <pre tabindex="0" id="${id}">${text}</pre>
      <button class="quiet" type="button" data-copies="${id}" aria-label="Copy ${of}">Copy</button>
    </div>`;
}
