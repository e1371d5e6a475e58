import { type Instant, instant } from "@svc/domain";
import { type Html, html } from "@svc/views";
import { field, formProblem, type Problems } from "../forms/field.ts";

/** The notifications to resend, as selected in the form or a link. */
export interface RecoverForm {
  /** A time in UTC, as entered. */
  readonly since: string;
  readonly only: "failed" | "all";
}

/** The format of a datetime-local field or of `created_at` of a notification. */
const timeShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?Z?$/;

/** `text`: reads a value of the form or the address by name. */
export function readRecoverForm(text: (name: string) => string): {
  readonly form: RecoverForm;
  /** Null: no valid time was entered. */
  readonly since: Instant | null;
} {
  const form: RecoverForm = { since: text("since"), only: text("only") === "all" ? "all" : "failed" };
  const [, minute, seconds = ":00"] = timeShape.exec(form.since) ?? [];
  const at = `${minute}${seconds}Z`;
  return { form, since: minute === undefined || Number.isNaN(Date.parse(at)) ? null : instant(at) };
}

const sinceField = { name: "since", type: "datetime-local", isRequired: true } as const;

export const noTime: Problems = { since: "Enter a day and a time." };

/** The form that leads to the page with the count and the confirmation. */
export function recoverForm(webhookId: string, { since, only }: RecoverForm, problems: Problems): Html {
  const choice = (value: RecoverForm["only"], label: string) =>
    html`<label class="choice"><input type="radio" name="only" value="${value}"${value === only && html` checked`}> ${label}</label>`;
  return html`
    <section class="card" id="recover">
      <h2>Recover missed notifications</h2>
      <p class="muted">Resends past notifications with their ids. New events are sent first.</p>
      <form action="/developers/webhooks/${webhookId}/recover">
        ${formProblem(problems)}
        ${field({ label: "Created since (UTC)", ...sinceField, value: since, problems })}
        ${choice("failed", "Failed only")}
        ${choice("all", "All, including delivered")}
        <p><button class="quiet">Preview</button></p>
      </form>
    </section>`;
}
