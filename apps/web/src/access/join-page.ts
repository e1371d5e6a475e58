import { type Html, html } from "@svc/views";
import { formProblem, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import type { Caller } from "./callers.ts";
import { loginForm, type OfferedProvider, providerLinks } from "./login-page.ts";
import { newPasswordFields } from "./new-password.ts";

interface Invited {
  readonly email: string;
  readonly companyName: string;
  readonly requiresSingleSignOn: boolean;
}

interface JoinOptions {
  /** Path of the invitation. */
  readonly path: string;
  readonly providers: readonly OfferedProvider[];
  readonly problems?: Problems;
}

const page = ({ companyName }: Invited, caller: Caller | null, content: Html): Html =>
  layout({
    title: "Join",
    caller,
    section: null,
    content: html`<section class="narrow card"><h1>Join ${companyName}</h1>${content}</section>`,
  });

/** Page for an address that no user has yet. */
export function joinPage(invitation: Invited, options: JoinOptions): Html {
  const { path, providers, problems = {} } = options;
  if (invitation.requiresSingleSignOn) return joinByProviderPage(invitation, options);
  return page(
    invitation,
    null,
    html`
      <p>You will sign in as <strong>${invitation.email}</strong>.</p>
      ${providerLinks(providers, path)}
      <p>${providers.length > 0 ? "Or choose a password:" : "Choose a password."}</p>
      ${formProblem(problems)}
      <form method="post" action="${path}">
        <input type="hidden" name="username" value="${invitation.email}" autocomplete="username">
        ${newPasswordFields(problems)}
        <button>Join</button>
      </form>`,
  );
}

/** Page for the signed-in user with the invited address. */
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

/** Page for the user with the invited address, who is not signed in. */
export function signInToJoinPage(invitation: Invited, options: JoinOptions): Html {
  const { path: next, providers } = options;
  if (invitation.requiresSingleSignOn) return joinByProviderPage(invitation, options);
  return page(
    invitation,
    null,
    html`
      <p>This invitation is for <strong>${invitation.email}</strong>. Sign in to accept it.</p>
      ${loginForm({ next, email: invitation.email, providers })}`,
  );
}

/** Page to join an account in which no session that began with a password works. */
export function joinByProviderPage(invitation: Invited, { path, providers }: JoinOptions): Html {
  const text = providers.length === 0 && html`<p>No provider is configured: ask the operator of this service.</p>`;
  return page(
    invitation,
    null,
    html`
      <p>This invitation is for <strong>${invitation.email}</strong>. ${invitation.companyName} requires single
        sign-on.</p>
      ${providerLinks(providers, path)}${text}`,
  );
}
