import { type WebhookEventName, webhookEventNames } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import type { WebhookResource } from "@svc/sdk";
import type { Request, Response } from "express";
import { problemsOf } from "../dashboard/api-problems.ts";
import type { DashboardRoutes, Person } from "../dashboard/dashboard-routes.ts";
import type { Problems } from "../forms/field.ts";
import { queryText } from "../http/query-text.ts";
import { sendPage } from "../http/send-page.ts";
import { readPageNumber } from "../pages/page-links.ts";
import { emptyForm, fieldOfPointer, formOf, readWebhookForm, type WebhookForm } from "./webhook-form.ts";
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
  on: "The webhook is active. What waited is sent now.",
  off: "The webhook is switched off.",
};

function noticeOf(request: Request): string | undefined {
  const done = queryText(request, "done");
  if (done !== "recovered") return notices[done];
  const recovered = Number(queryText(request, "count"));
  return recovered === 1 ? "1 notification is sent again." : `${recovered || 0} notifications are sent again.`;
}

/** As browsers send a field for a day and a time. */
const minuteAndSeconds = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/;

const idOf = (request: Request): string => String(request.params.id);
const isEvent = (text: string): text is WebhookEventName => (webhookEventNames as readonly string[]).includes(text);

async function showWebhook(
  response: Response,
  {
    person,
    webhook,
    status = 200,
    ...rest
  }: {
    readonly person: Person;
    readonly webhook: WebhookResource;
    readonly status?: number;
    readonly notice?: string | undefined;
    readonly since?: string;
    readonly problems?: Problems;
  },
): Promise<void> {
  const { api } = person;
  const [told, notifications, categories] = await Promise.all([
    api.webhooks.notices(webhook.id, { pageSize: latest }),
    api.notifications.list({ filter: { webhook: webhook.id }, pageSize: latest }),
    api.webhooks.events(),
  ]);
  const content = { notices: told.data, notifications: notifications.data, categories: categories.data };
  sendPage(response, status, webhookPage({ caller: person, webhook, ...content, ...rest }));
}

/** Making and changing webhooks. */
function addWebhookFormRoutes(routes: DashboardRoutes): void {
  const showForm = async (
    response: Response,
    person: Person,
    options: { id: string | null; form: WebhookForm; key?: string; problems?: Problems },
  ): Promise<void> => {
    const { data: categories } = await person.api.webhooks.events();
    const page = webhookFormPage({ caller: person, key: uuidV7.next(), categories, ...options });
    sendPage(response, options.problems ? 422 : 200, page);
  };

  routes.page(`${path}/new`, (request, response, person) =>
    showForm(response, person, { id: null, form: { ...emptyForm, url: queryText(request, "url") } }),
  );

  routes.form(path, async (_request, response, person, values) => {
    const { form, problems, edit } = readWebhookForm(values);
    const refuse = (found: Problems) => showForm(response, person, { id: null, form, problems: found });
    if (Object.keys(problems).length > 0) return refuse(problems);
    const idempotencyKey = values.text("key") || undefined;
    const made = await person.api.webhooks
      .create(edit, { idempotencyKey })
      .catch((error: unknown) => problemsOf(error, fieldOfPointer));
    if ("data" in made) sendPage(response, 201, webhookSecretPage(person, made.data as WebhookResource, true));
    else await refuse(made);
  });

  routes.page(`${path}/:id/edit`, async (request, response, person) => {
    const { data } = await person.api.webhooks.get(idOf(request));
    await showForm(response, person, { id: data.id, form: formOf(data) });
  });

  routes.form(`${path}/:id/edit`, async (request, response, person, values) => {
    const id = idOf(request);
    const { form, problems, edit } = readWebhookForm(values);
    const refuse = (found: Problems) => showForm(response, person, { id, form, problems: found });
    if (Object.keys(problems).length > 0) return refuse(problems);
    const refused = await person.api.webhooks.update(id, edit).then(
      () => null,
      (error: unknown) => problemsOf(error, fieldOfPointer),
    );
    if (refused) await refuse(refused);
    else response.redirect(303, `${path}/${id}?done=saved`);
  });
}

/** Reading webhooks, and what is done to one that there is. */
export function addWebhookRoutes(routes: DashboardRoutes): void {
  routes.page(path, async (request, response, person) => {
    const number = readPageNumber(queryText(request, "page"));
    const page = await person.api.webhooks.list({ page: number, pageSize });
    sendPage(response, 200, webhookListPage(person, page, { number, notice: noticeOf(request) }));
  });

  addWebhookFormRoutes(routes);

  routes.page(`${path}/:id`, async (request, response, person) => {
    const { data: webhook } = await person.api.webhooks.get(idOf(request));
    await showWebhook(response, { person, webhook, notice: noticeOf(request) });
  });

  routes.form(`${path}/:id/state`, async (request, response, person, values) => {
    const id = idOf(request);
    const [active, paused] = [values.text("active"), values.text("paused")];
    const edit = {
      ...(active !== "" && { active: active === "true" }),
      ...(paused !== "" && { paused: paused === "true" }),
    };
    await person.api.webhooks.update(id, edit);
    const done = active === "" ? (edit.paused ? "paused" : "resumed") : edit.active ? "on" : "off";
    response.redirect(303, `${path}/${id}?done=${done}`);
  });

  routes.page(`${path}/:id/rotate`, async (request, response, person) => {
    const { data } = await person.api.webhooks.get(idOf(request));
    sendPage(response, 200, rotateSecretPage(person, data, uuidV7.next()));
  });

  routes.form(`${path}/:id/rotate`, async (request, response, person, values) => {
    const id = idOf(request);
    const rotated = await person.api.webhooks
      .rotateSecret(id, { idempotencyKey: values.text("key") || undefined })
      .catch((error: unknown) => problemsOf(error, () => ""));
    if ("data" in rotated) {
      sendPage(response, 200, webhookSecretPage(person, rotated.data as WebhookResource, false));
      return;
    }
    const { data } = await person.api.webhooks.get(id);
    sendPage(response, 409, rotateSecretPage(person, data, uuidV7.next(), rotated));
  });

  routes.page(`${path}/:id/delete`, async (request, response, person) => {
    const { data } = await person.api.webhooks.get(idOf(request));
    sendPage(response, 200, deleteWebhookPage(person, data));
  });

  routes.form(`${path}/:id/delete`, async (request, response, person) => {
    await person.api.webhooks.delete(idOf(request));
    response.redirect(303, `${path}?done=deleted`);
  });

  routes.form(`${path}/:id/test`, async (request, response, person, values) => {
    const { data: webhook } = await person.api.webhooks.get(idOf(request));
    const { url, secret } = webhook.attributes;
    const asked = values.text("event");
    const event = isEvent(asked) ? asked : "tracking_request.succeeded";
    const result = await person.api.webhooks.trigger({ url, event, secret });
    sendPage(response, 200, testResultPage(person, webhook, event, result));
  });

  routes.form(`${path}/:id/recover`, async (request, response, person, values) => {
    const id = idOf(request);
    const since = values.text("since");
    const only = values.text("only") === "all" ? "all" : "failed";
    const refuse = async (problems: Problems) => {
      const { data: webhook } = await person.api.webhooks.get(id);
      await showWebhook(response, { person, webhook, status: 422, since, problems });
    };
    const [, minute, seconds = ":00"] = minuteAndSeconds.exec(since) ?? [];
    const at = `${minute}${seconds}Z`;
    if (minute === undefined || Number.isNaN(Date.parse(at))) return refuse({ since: "Enter a day and a time." });
    const answer = await person.api.webhooks
      .recover(id, { since: at, only })
      .catch((error: unknown) => problemsOf(error, () => "since"));
    if (typeof answer.recovered !== "number") return refuse(answer as Problems);
    response.redirect(303, `${path}/${id}?done=recovered&count=${answer.recovered}`);
  });
}
