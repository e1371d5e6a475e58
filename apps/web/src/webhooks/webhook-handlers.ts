import { randomUUID } from "node:crypto";
import { countText } from "@svc/domain";
import { type WebhookEventName, webhookEventNames } from "@svc/domain/webhooks";
import { type WebhookResource, withEntityTag } from "@svc/sdk";
import type { Html } from "@svc/views";
import type { Request, Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { problemsOf } from "../forms/api-problems.ts";
import { hasProblems, type Problems } from "../forms/field.ts";
import { beforeForm } from "../forms/merge-form.ts";
import { saveForm } from "../forms/save-form.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { pathId, queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { Services } from "../services.ts";
import { type PerformancePeriod, readPeriod } from "./delivery-charts.ts";
import type { RecoverForm } from "./recover-form.ts";
import {
  emptyForm,
  fieldOfPointer,
  formFields,
  formOf,
  readWebhookForm,
  toWebhookEdit,
  type WebhookForm,
} from "./webhook-form.ts";
import { webhookFormPage } from "./webhook-form-page.ts";
import { webhookListPage } from "./webhook-list-page.ts";
import { webhookPage } from "./webhook-page.ts";
import { deleteWebhookPage, rotateSecretPage, testResultPage, webhookSecretPage } from "./webhook-step-pages.ts";

const path = "/developers/webhooks";
const pageSize = 25;
const latest = 10;

const notices: Readonly<Record<string, string>> = {
  saved: "Saved.",
  deleted: "The webhook is deleted.",
  resumed: "Deliveries go on.",
  paused: "Deliveries are held back until you resume them.",
  on: "The webhook is active. Pending notifications are being sent.",
  off: "The webhook is disabled.",
};

function doneNotice(request: Request): string | undefined {
  if (queryText(request, "done") !== "recovered") return noticeOf(request, notices);
  return `${countText(Number(queryText(request, "count")) || 0, "notification")} will be resent.`;
}

const isEvent = (text: string): text is WebhookEventName => (webhookEventNames as readonly string[]).includes(text);

export type WebhookServices = Pick<Services, "apiBaseUrl">;

export async function showWebhook(
  response: Response,
  {
    caller,
    webhook,
    status = 200,
    period = "day",
    ...rest
  }: WebhookServices & {
    readonly caller: SignedInCaller;
    readonly webhook: WebhookResource;
    readonly status?: number;
    readonly period?: PerformancePeriod;
    readonly notice?: string | undefined;
    readonly recover?: RecoverForm;
    readonly problems?: Problems;
  },
): Promise<void> {
  const { api } = caller;
  const [webhookNotices, deliveries, categories, performance] = await Promise.all([
    api.webhooks.notices(webhook.id, { pageSize: latest }),
    api.notifications.deliveries({ filter: { webhook: webhook.id }, pageSize: latest }),
    api.webhooks.events(),
    api.webhooks.performance({ webhook: webhook.id, period }),
  ]);
  const content = {
    performance: performance.data,
    period,
    notices: webhookNotices.data,
    deliveries: deliveries.data,
    categories: categories.data,
  };
  sendPage(response, status, webhookPage({ caller, webhook, ...content, ...rest }));
}

/** Creates and updates webhooks. */
function webhookFormHandlers() {
  const showForm = async (
    response: Response,
    caller: SignedInCaller,
    options: { webhook: WebhookResource | null; form: WebhookForm; before: Html | null; problems?: Problems },
    status = options.problems ? 422 : 200,
  ): Promise<void> => {
    const { data: categories } = await caller.api.webhooks.events();
    const page = webhookFormPage({ caller, key: randomUUID(), categories, ...options });
    sendPage(response, status, page);
  };

  const showNew: PageHandler = (request, response, caller) =>
    showForm(response, caller, { webhook: null, form: { ...emptyForm, url: queryText(request, "url") }, before: null });

  const create: FormHandler = async (_request, response, caller, values) => {
    const form = readWebhookForm(values);
    const { problems, edit } = toWebhookEdit(form);
    const refuse = (found: Problems) =>
      showForm(response, caller, { webhook: null, form, before: null, problems: found });
    if (hasProblems(problems)) return refuse(problems);
    const idempotencyKey = values.text("key") || undefined;
    const created = await caller.api.webhooks
      .create(edit, { idempotencyKey })
      .catch((error: unknown) => problemsOf(error, fieldOfPointer));
    if ("data" in created)
      sendPage(response, 201, webhookSecretPage(caller, created.data as WebhookResource, "created"));
    else await refuse(created);
  };

  const showEdit: PageHandler = async (request, response, caller) => {
    const { data } = await caller.api.webhooks.get(pathId(request));
    const present = formOf(data);
    await showForm(response, caller, { webhook: data, form: present, before: beforeForm(present) });
  };

  const save: FormHandler = (request, response, caller, values) =>
    saveForm({
      kind: "webhook",
      values,
      find: () => withEntityTag((options) => caller.api.webhooks.get(pathId(request), options)),
      formOf,
      fields: formFields,
      readForm: () => readWebhookForm(values),
      problemsOfForm: (form) => toWebhookEdit(form).problems,
      update: (id, form, options) => caller.api.webhooks.update(id, toWebhookEdit(form).edit, options),
      fieldOf: fieldOfPointer,
      showAgain: async (status, { id, ...shown }) => {
        const { data: webhook } = await caller.api.webhooks.get(id);
        await showForm(response, caller, { webhook, ...shown }, status);
      },
      onSaved: (id) => response.redirect(303, `${path}/${id}?done=saved`),
    });

  return { showNew, create, showEdit, save };
}

/** What a switch of the page is called when it is done. */
function doneOf({ active, paused }: { readonly active?: boolean; readonly paused?: boolean }): string {
  if (active !== undefined) return active ? "on" : "off";
  return paused ? "paused" : "resumed";
}

const setState: FormHandler = async (request, response, caller, values) => {
  const id = pathId(request);
  const [active, paused] = [values.text("active"), values.text("paused")];
  const edit = {
    ...(active !== "" && { active: active === "true" }),
    ...(paused !== "" && { paused: paused === "true" }),
  };
  await caller.api.webhooks.update(id, edit);
  response.redirect(303, `${path}/${id}?done=${doneOf(edit)}`);
};

const showRotate: PageHandler = async (request, response, caller) => {
  const { data } = await caller.api.webhooks.get(pathId(request));
  sendPage(response, 200, rotateSecretPage(caller, data, randomUUID()));
};

const rotate: FormHandler = async (request, response, caller, values) => {
  const id = pathId(request);
  const rotated = await caller.api.webhooks
    .rotateSecret(id, { idempotencyKey: values.text("key") || undefined })
    .catch((error: unknown) => problemsOf(error, () => ""));
  if ("data" in rotated) {
    sendPage(response, 200, webhookSecretPage(caller, rotated.data as WebhookResource, "rotated"));
    return;
  }
  const { data } = await caller.api.webhooks.get(id);
  sendPage(response, 409, rotateSecretPage(caller, data, randomUUID(), rotated));
};

const showDelete: PageHandler = async (request, response, caller) => {
  const { data } = await caller.api.webhooks.get(pathId(request));
  sendPage(response, 200, deleteWebhookPage(caller, data));
};

const remove: FormHandler = async (request, response, caller) => {
  await caller.api.webhooks.delete(pathId(request));
  response.redirect(303, `${path}?done=deleted`);
};

const sendTest: FormHandler = async (request, response, caller, values) => {
  const { data: webhook } = await caller.api.webhooks.get(pathId(request));
  const { url, secret } = webhook.attributes;
  const requestedEvent = values.text("event");
  const event = isEvent(requestedEvent) ? requestedEvent : "tracking_request.succeeded";
  const result = await caller.api.webhooks.trigger({ url, event, ...(secret !== null && { secret }) });
  sendPage(response, 200, testResultPage(caller, webhook, event, result));
};

/** Shows webhooks and handles the actions on one. */
export function webhookHandlers({ apiBaseUrl }: WebhookServices) {
  const list: PageHandler = async (request, response, caller) => {
    const number = readPageNumber(queryText(request, "page"));
    const listOptions = { page: number, pageSize };
    const [page, statistics] = await Promise.all([
      caller.api.webhooks.list(listOptions),
      caller.api.webhooks.statistics(listOptions),
    ]);
    const pageOptions = { number, statistics: statistics.data, notice: doneNotice(request) };
    sendPage(response, 200, webhookListPage(caller, page, { apiBaseUrl, ...pageOptions }));
  };

  const show: PageHandler = async (request, response, caller) => {
    const { data: webhook } = await caller.api.webhooks.get(pathId(request));
    await showWebhook(response, {
      caller,
      apiBaseUrl,
      webhook,
      period: readPeriod(queryText(request, "period")),
      notice: doneNotice(request),
    });
  };

  return {
    list,
    show,
    ...webhookFormHandlers(),
    setState,
    showRotate,
    rotate,
    showDelete,
    remove,
    sendTest,
  };
}
