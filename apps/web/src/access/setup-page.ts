import { type Html, html } from "@svc/views";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import { newPasswordFields } from "./new-password.ts";

export interface SetupForm {
  readonly code: string;
  readonly companyName: string;
  readonly email: string;
}

export function setupPage(form: SetupForm, problems: Problems = {}): Html {
  return layout({
    title: "Set up",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>Set up this installation</h1>
        <p>Create the first account. You become its owner.</p>
        ${formProblem(problems)}
        <form method="post" action="/setup">
          ${field({
            label: "Set-up code",
            name: "code",
            value: form.code,
            problems,
            hint: html`Find it in the service log, at <code>setup.waiting</code>.`,
            maxLength: 100,
            isRequired: true,
          })}
          ${field({
            label: "Company",
            name: "companyName",
            value: form.companyName,
            problems,
            autocomplete: "organization",
            maxLength: 200,
            isRequired: true,
          })}
          ${field({
            label: "Your email address",
            name: "email",
            value: form.email,
            problems,
            type: "email",
            autocomplete: "username",
            maxLength: 254,
            isRequired: true,
          })}
          ${newPasswordFields(problems)}
          <button>Create account</button>
        </form>
      </section>`,
  });
}
