import type { Instant } from "@svc/domain";
import type { WebhookResource } from "@svc/sdk";
import { formatNumber, type Html, html } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { developersLayout } from "../developers/developers-layout.ts";
import { formProblem, type Problems } from "../forms/field.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { exactTimestamp } from "../pages/timestamps.ts";
import type { RecoverForm } from "./recover-form.ts";
import { recordOf } from "./webhook-text.ts";

export interface RecoverPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly webhook: WebhookResource;
  readonly only: RecoverForm["only"];
  readonly since: Instant;
  /** Exact up to the limit of the API. */
  readonly count: { readonly total: number; readonly isExact: boolean };
  readonly problems?: Problems;
}

/** "1,204 notifications of this webhook failed". */
function counted({ count: { total, isExact }, only }: RecoverPageOptions): string {
  const number = total === 0 ? "No" : `${isExact ? "" : "More than "}${formatNumber(total)}`;
  const created = total > 1 ? "were created" : "was created";
  const happened = only === "failed" ? "failed" : created;
  return `${number} ${total > 1 ? "notifications" : "notification"} of this webhook ${happened}`;
}

/** "Resend these notifications?": shows the count for confirmation before anything is resent. */
export function recoverPage(options: RecoverPageOptions): Html {
  const { caller, apiBaseUrl, webhook, only, since, count, problems = {} } = options;
  const path = `/developers/webhooks/${webhook.id}`;
  const twice =
    only === "all" &&
    html`<p>Notifications already delivered are resent with the same id, so that your receiver can ignore them.</p>`;
  const confirmation = html`
    ${twice}
    <p class="muted">Each keeps its id. New events are sent first.</p>
    <form method="post" action="${path}/recover">
      <input type="hidden" name="since" value="${since}">
      <input type="hidden" name="only" value="${only}">
      <p class="actions"><button>Resend</button> <a href="${path}">Cancel</a></p>
    </form>`;
  const call = {
    method: "POST",
    path: `/webhooks/${webhook.id}/recover`,
    body: { since, only },
    mediaType: "application/json",
  } as const;
  return developersLayout({
    title: "Resend",
    caller,
    part: "webhooks",
    isOfRecord: true,
    record: recordOf(webhook),
    heading: null,
    content: html`
      <section class="narrow card question">
        <h1>${count.total === 0 ? "Nothing to resend" : "Resend these notifications?"}</h1>
        <p class="muted">${webhook.attributes.url}</p>
        ${formProblem(problems)}
        <p><strong>${counted(options)}</strong> since ${exactTimestamp(since)}.</p>
        ${count.total === 0 ? html`<p><a class="button" href="${path}">Back to the webhook</a></p>` : confirmation}
      </section>
      ${sameFromApi(apiBaseUrl, [call])}`,
  });
}
