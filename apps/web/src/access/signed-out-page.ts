import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";

/** Fields whose values must not appear in a page, because the user who is signed in next may be another one. */
const secretField = /password|secret|token|key$|code|credential/i;

/** The submitted fields in their order; null if the form has files or a secret. */
function resubmittedFields(body: unknown): readonly (readonly [name: string, value: string])[] | null {
  const fields = Object.entries((body ?? {}) as Readonly<Record<string, unknown>>);
  if (body === undefined || fields.some(([name]) => secretField.test(name))) return null;
  return fields.flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (typeof one === "string" ? [[name, one] as const] : [])),
  );
}

/**
 * The response to a form that was submitted after the session ended: the values stay in the page, to be submitted again
 * once the user has signed in in another tab. `path`: where the form was sent.
 */
export function signedOutPage(path: string, body: unknown, home: string): Html {
  const fields = resubmittedFields(body);
  const signIn = html`<a href="/login?next=${encodeURIComponent(home)}" target="_blank" rel="noopener">Sign in</a>`;
  return layout({
    title: "You were signed out",
    caller: null,
    content: html`
      <section class="narrow card" role="alert">
        <h1>You were signed out</h1>
        <p>Nothing was saved, because your session has ended.</p>
        ${
          fields === null
            ? html`<p>${signIn} in another tab, go back in this one, and enter it again.</p>`
            : html`
              <p>${signIn} in another tab, then send what you entered again. It stays on this page.</p>
              <form method="post" action="${path}">
                ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
                <button>Send again</button>
              </form>`
        }
      </section>`,
  });
}
