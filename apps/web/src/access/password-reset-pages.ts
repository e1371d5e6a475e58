import { type Html, html } from "@svc/views";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import { newPasswordFields } from "./new-password.ts";

function accessPage(title: string, content: Html): Html {
  return layout({
    title,
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>${title}</h1>
        ${content}
        <p><a href="/login">Sign in</a></p>
      </section>`,
  });
}

/** Page that asks for the address to which a link is sent. */
export function requestPasswordResetPage(
  options: { readonly email?: string; readonly problems?: Problems } = {},
): Html {
  const { email, problems = {} } = options;
  return accessPage(
    "Forgot your password?",
    html`
      <p>Enter your email address to get a link by which you choose a new one.</p>
      ${formProblem(problems)}
      <form method="post" action="/login/forgotten">
        ${field({
          label: "Email address",
          name: "email",
          value: email,
          problems,
          type: "email",
          autocomplete: "username",
          maxLength: 254,
          isRequired: true,
        })}
        <button>Send the link</button>
      </form>`,
  );
}

/** Page for an installation without e-mail. */
export function contactOperatorPage(): Html {
  return accessPage(
    "Forgot your password?",
    html`
      <p>This installation does not send email. Ask its operator for a link, by which you choose a new
        password. The operator makes it with <code>svc-admin users reset</code> and your email address.</p>`,
  );
}

/** Page that is the same for every address, so that it does not show who has an account. */
export function linkSentPage(email: string, minutes: number): Html {
  return accessPage(
    "Check your email",
    html`
      <p>If a user has the address <strong>${email}</strong>, an email with a link is on its way.</p>
      <p class="muted">The link works once, within ${minutes} minutes. Nothing arrived? Check the spelling of the
        address and the spam folder, or <a href="/login/forgotten">ask for another</a>.</p>`,
  );
}

export function resetPage(email: string, action: string, problems: Problems = {}): Html {
  return accessPage(
    "Choose a new password",
    html`
      <p>You sign in as <strong>${email}</strong>. Every session of yours ends.</p>
      ${formProblem(problems)}
      <form method="post" action="${action}">
        <input type="hidden" name="username" value="${email}" autocomplete="username">
        ${newPasswordFields(problems)}
        <label class="choice"><input type="checkbox" name="revoke" value="yes">
          <span>Also revoke my access elsewhere
            <span class="muted">API tokens that I created, connected applications and calendar addresses. Choose this if
              someone else may have known the password.</span></span></label>
        <button>Change password</button>
      </form>`,
  );
}

export function resetOverPage(): Html {
  return accessPage(
    "This link is no longer valid",
    html`
      <p>It was used, replaced by a newer one, or is older than 30 minutes.</p>
      <p><a class="button" href="/login/forgotten">Ask for another</a></p>`,
  );
}
