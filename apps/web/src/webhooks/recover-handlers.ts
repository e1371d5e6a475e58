import { addMs, type Instant } from "@svc/domain";
import type { Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { problemsOf } from "../forms/api-problems.ts";
import type { Problems } from "../forms/field.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId, queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noTime, type RecoverForm, readRecoverForm } from "./recover-form.ts";
import { recoverPage } from "./recover-page.ts";
import { showWebhook, type WebhookServices } from "./webhook-handlers.ts";

const path = "/developers/webhooks";

/** Recovers missed events: shows the count first, then resends after confirmation. */
export function recoverHandlers({ apiBaseUrl }: WebhookServices) {
  const refuse = async (response: Response, caller: SignedInCaller, id: string, form: RecoverForm): Promise<void> => {
    const { data: webhook } = await caller.api.webhooks.get(id);
    await showWebhook(response, { caller, apiBaseUrl, webhook, status: 422, recover: form, problems: noTime });
  };

  const showConfirmation = async (
    response: Response,
    caller: SignedInCaller,
    { id, only, since, problems }: { id: string; only: RecoverForm["only"]; since: Instant; problems?: Problems },
  ): Promise<void> => {
    // The API's filter excludes the given time, but its recovery includes it.
    const createdAfter = addMs(since, -1);
    const deliveryStatus = only === "failed" ? only : undefined;
    const [{ data: webhook }, { meta }] = await Promise.all([
      caller.api.webhooks.get(id),
      caller.api.notifications.list({ pageSize: 1, filter: { webhook: id, deliveryStatus, createdAfter } }),
    ]);
    const count = { total: meta?.page?.total ?? 0, isExact: meta?.page?.total_is_exact ?? true };
    const page = recoverPage({
      caller,
      apiBaseUrl,
      webhook,
      only,
      since,
      count,
      ...(problems && { problems }),
    });
    sendPage(response, problems ? 422 : 200, page);
  };

  const showRecover: PageHandler = async (request, response, caller) => {
    const id = pathId(request);
    const { form, since } = readRecoverForm((name) => queryText(request, name));
    if (since === null && form.since === "") {
      const { data: webhook } = await caller.api.webhooks.get(id);
      return showWebhook(response, { caller, apiBaseUrl, webhook, recover: form });
    }
    if (since === null) return refuse(response, caller, id, form);
    await showConfirmation(response, caller, { id, only: form.only, since });
  };

  const recover: FormHandler = async (request, response, caller, values) => {
    const id = pathId(request);
    const { form, since } = readRecoverForm(values.text);
    if (since === null) return refuse(response, caller, id, form);
    const { only } = form;
    const result = await caller.api.webhooks
      .recover(id, { since, only })
      .catch((error: unknown) => problemsOf(error, () => ""));
    if (typeof result.recovered === "number") {
      response.redirect(303, `${path}/${id}?done=recovered&count=${result.recovered}`);
    } else await showConfirmation(response, caller, { id, only, since, problems: result as Problems });
  };

  return { showRecover, recover };
}
