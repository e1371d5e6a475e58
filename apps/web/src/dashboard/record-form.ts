import { type Html, type HtmlValue, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { accountLayout } from "../account/account-layout.ts";
import { formProblem, type Problems } from "../forms/field.ts";

/** The form of a new record or of a stored one. */
export interface RecordForm<Form> {
  readonly caller: SignedInCaller;
  /** Null: a new record. */
  readonly id: string | null;
  /** Idempotency key, so that submitting the form twice creates one record. */
  readonly key: string;
  readonly form: Form;
  /** Hidden fields of the form of a stored record (`beforeForm`). */
  readonly before: Html | null;
  readonly problems?: Problems;
}

interface FormContent {
  /** Path of the list of the records. */
  readonly path: string;
  /** Label of the button that creates the record. */
  readonly createLabel: string;
  readonly fields: HtmlValue;
  readonly className?: string;
  /** Path of the page to return to. Default: the list. */
  readonly back?: string;
}

export function recordForm({ id, key, before, problems = {} }: RecordForm<unknown>, content: FormContent): Html {
  const { path, createLabel, fields, className, back = path } = content;
  const action = id === null ? path : `${path}/${id}/edit`;
  return html`
    <form class="card form${className && html` ${className}`}" method="post" action="${action}">
      ${formProblem(problems)}
      <input type="hidden" name="key" value="${key}">
      ${before}
      ${fields}
      <p class="actions"><button>${id === null ? createLabel : "Save"}</button> <a href="${back}">Cancel</a></p>
    </form>`;
}

/** The page of the form of a record of the account. */
export function recordFormPage(
  shown: RecordForm<unknown>,
  page: FormContent & { readonly title: string; readonly part: Parameters<typeof accountLayout>[0]["part"] },
): Html {
  const { title, part } = page;
  return accountLayout({ title, caller: shown.caller, part, isOfRecord: true, content: recordForm(shown, page) });
}
