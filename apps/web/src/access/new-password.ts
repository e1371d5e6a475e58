import { type Html, html } from "@svc/views";
import { field, type Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";

const lengthMin = 10;
const lengthMax = 1_000;

/** Reads and validates a new password. It is never sent back to the browser. */
export function readNewPassword(values: FormValues, email: string): { password: string; problems: Problems } {
  const [password, again] = [values.exact("password"), values.exact("again")];
  const problem = (() => {
    if (password.length < lengthMin) return { password: `At least ${lengthMin} characters.` };
    if (password.length > lengthMax) return { password: `At most ${lengthMax} characters.` };
    if (password.toLowerCase() === email.toLowerCase()) return { password: "Not your email address." };
    return password === again ? {} : { again: "The passwords do not match." };
  })();
  return { password, problems: problem };
}

export function newPasswordFields(problems: Problems): Html {
  const shared = {
    problems,
    type: "password",
    autocomplete: "new-password",
    maxLength: lengthMax,
    isRequired: true,
  } as const;
  return html`
    ${field({ ...shared, label: "New password", name: "password", hint: `At least ${lengthMin} characters.` })}
    ${field({ ...shared, label: "Repeat new password", name: "again" })}`;
}
