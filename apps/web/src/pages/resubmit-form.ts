import { type Html, html } from "@svc/views";

/** Fields whose values do not appear in a page. A `key` makes a repeated submission one action, and is no secret. */
const secretField = /password|secret|token|.key$|code|credential/i;

/** Fields that may contain a secret of a receiver, and are shown to the user who entered them only. */
const ownField = /^(?:key|url|headers)$/;

/** Who sees the page: the user who submitted the form, or also the next user of the browser. */
type Reader = "submitter" | "anyone";

/** The submitted fields in their order; null if the form has files or a secret. */
function resubmittedFields(body: unknown, reader: Reader): readonly (readonly [name: string, value: string])[] | null {
  if (body === undefined) return null;
  const fields = Object.entries((body ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  const isSecret = (name: string) => secretField.test(name) || (reader === "anyone" && ownField.test(name));
  const isResubmitted = (field: readonly [string, unknown]): field is [string, string] =>
    typeof field[1] === "string" && !isSecret(field[0]);
  return fields.every(isResubmitted) ? fields : null;
}

/** A form that sends the submitted fields again; null if it had files or a secret. `path`: where it was sent. */
export function resubmitForm(path: string, body: unknown, reader: Reader): Html | null {
  const fields = resubmittedFields(body, reader);
  return (
    fields &&
    html`
      <form method="post" action="${path}">
        ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
        <button>Send again</button>
      </form>`
  );
}
