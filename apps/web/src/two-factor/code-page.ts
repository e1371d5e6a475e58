import { type Html, html } from "@svc/views";
import { field, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";

/** The second step of a sign-in, which leads to `next`. */
export function codePage(next: string, problems: Problems = {}): Html {
  return layout({
    title: "Enter a code",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>Enter a code</h1>
        ${problems[""] !== undefined && noticeBanner("error", problems[""])}
        <form method="post" action="/login/code">
          <input type="hidden" name="next" value="${next}">
          ${field({
            label: "Code of your authenticator app",
            name: "code",
            problems,
            hint: "Six digits, or one of your recovery codes.",
            autocomplete: "one-time-code",
            maxLength: 40,
            isRequired: true,
            hasFocus: true,
          })}
          <button>Sign in</button>
        </form>
        <p class="muted">Neither phone nor recovery codes? Ask the operator of this service:
          <code>svc-admin users reset --totp</code></p>
        <p><a href="/login">Start again</a></p>
      </section>`,
  });
}
