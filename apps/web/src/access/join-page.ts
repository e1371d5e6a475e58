import { type Html, html } from "@svc/views";
import { formProblem, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import { newPasswordFields } from "./new-password.ts";

export function joinPage(
  invitation: { readonly email: string; readonly companyName: string },
  action: string,
  problems: Problems = {},
): Html {
  return layout({
    title: "Join",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>Join ${invitation.companyName}</h1>
        <p>You will sign in as <strong>${invitation.email}</strong>. Choose a password.</p>
        ${formProblem(problems)}
        <form method="post" action="${action}">
          <input type="hidden" name="username" value="${invitation.email}" autocomplete="username">
          ${newPasswordFields(problems)}
          <button>Join</button>
        </form>
      </section>`,
  });
}
