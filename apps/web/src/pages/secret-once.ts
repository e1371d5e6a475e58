import { type Html, html } from "@svc/views";

/** A secret, which is shown only once. The button to copy it appears only where scripts run. */
export function secretOnce(options: { readonly label: string; readonly value: string; readonly note: string }): Html {
  const { label, value, note } = options;
  return html`
    <section class="notice is-warning" aria-label="${label}">
      <label for="secret">${label}</label>
      <p><strong>Copy it now: it is not shown again.</strong> ${note}</p>
      <div class="copy">
        <input id="secret" class="number" readonly value="${value}" autocomplete="off" spellcheck="false">
        <button class="quiet" type="button" data-copies="secret">Copy</button>
      </div>
    </section>`;
}
