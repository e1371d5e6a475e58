import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";
import { resubmitForm } from "../pages/resubmit-form.ts";

/**
 * The response to a form that was submitted after the session ended: the values stay in the page, to be submitted again
 * once the user has signed in in another tab. `path`: where the form was sent.
 */
export function signedOutPage(path: string, body: unknown, home: string): Html {
  const form = resubmitForm(path, body, "anyone");
  const signIn = html`<a href="/login?next=${encodeURIComponent(home)}" target="_blank" rel="noopener">Sign in</a>`;
  return layout({
    title: "You were signed out",
    caller: null,
    content: html`
      <section class="narrow card" role="alert">
        <h1>You were signed out</h1>
        <p>Nothing was saved, because your session has ended.</p>
        ${
          form === null
            ? html`<p>${signIn} in another tab, go back in this one, and enter it again.</p>`
            : html`
              <p>${signIn} in another tab, then send what you entered again. It stays on this page.</p>
              ${form}`
        }
      </section>`,
  });
}
