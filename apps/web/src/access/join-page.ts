import { type Html, html } from "@svc/views";
import { formProblem, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import type { Caller } from "./callers.ts";
import { loginForm } from "./login-page.ts";
import { newPasswordFields } from "./new-password.ts";

interface Invited {
  readonly email: string;
  readonly companyName: string;
}

const page = ({ companyName }: Invited, caller: Caller | null, content: Html): Html =>
  layout({
    title: "Join",
    caller,
    section: null,
    content: html`<section class="narrow card"><h1>Join ${companyName}</h1>${content}</section>`,
  });

/** For an address that no user has yet. */
export function joinPage(invitation: Invited, action: string, problems: Problems = {}): Html {
  return page(
    invitation,
    null,
    html`
      <p>You will sign in as <strong>${invitation.email}</strong>. Choose a password.</p>
      ${formProblem(problems)}
      <form method="post" action="${action}">
        <input type="hidden" name="username" value="${invitation.email}" autocomplete="username">
        ${newPasswordFields(problems)}
        <button>Join</button>
      </form>`,
  );
}

/** For the user with the invited address, who is signed in. */
export function joinAsPage(invitation: Invited, caller: Caller, action: string): Html {
  return page(
    invitation,
    caller,
    html`
      <p>You are signed in as <strong>${invitation.email}</strong>. You keep your other accounts, and switch between
        them in the header.</p>
      <form method="post" action="${action}"><button>Join</button></form>`,
  );
}

/** For the user with the invited address, who is not signed in. */
export function signInToJoinPage(invitation: Invited, next: string): Html {
  return page(
    invitation,
    null,
    html`
      <p>This invitation is for <strong>${invitation.email}</strong>. Sign in to accept it.</p>
      ${loginForm({ next, email: invitation.email })}`,
  );
}
