import {
  catalogueEventNames,
  isOffered,
  unsentEventNames,
  type Webhook,
  webhookEventNames,
} from "@svc/domain/webhooks";
import { attributeSource } from "@svc/jsonapi";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  capitalizeHeaderName,
  createWebhookDocument,
  editWebhookDocument,
  WebhookResource,
  webhookResource,
} from "@svc/jsonapi/webhooks";
import { z } from "zod";
import { type Caller, maySeeSecrets } from "../http/authenticator.ts";
import { defineRoute, type Reply } from "../http/define-route.ts";
import { checkWritten } from "../http/preconditions.ts";
import { defineRecord, deleteRoute, findRecord, listRoute } from "../http/record-routes.ts";
import { createdReply, recordReply } from "../http/replies.ts";
import { checkOffered } from "./check-offered.ts";
import { generateWebhookSecret } from "./generate-webhook-secret.ts";
import { checkWebhookLimit, webhooksPerAccountMax } from "./webhook-limit.ts";
import { readWebhookTarget } from "./webhook-target.ts";

const tag = "Webhooks";
const type = "webhook";
/** Shows the webhook's secrets only to a caller who may manage webhooks. */
const webhookResourceFor = (caller: Caller) => (webhook: Webhook, baseUrl: string) =>
  webhookResource(webhook, baseUrl, { showsSecrets: maySeeSecrets(caller, "manage_webhooks") });

const capitalize = (headers: readonly { name: string; value: string }[]) =>
  headers.map(({ name, value }) => ({ name: capitalizeHeaderName(name), value }));

/** Only exact names are refused: a family leaves out what the account is not offered. */
function checkSubscriptions(subscriptions: readonly string[], caller: Caller): void {
  for (const event of webhookEventNames) {
    const index = subscriptions.indexOf(event);
    if (index >= 0) checkOffered(event, caller, attributeSource(`events/${index}`));
  }
}

/** Adds to `meta` the events of the webhook that are accepted for compatibility and never sent. */
function noteUnsent(reply: Reply, { events }: Webhook): Reply {
  const unsent = unsentEventNames.filter((name) => events.includes(name));
  if (unsent.length === 0) return reply;
  return { ...reply, document: { ...reply.document, meta: { events_never_sent: unsent } } };
}

const WebhookDocument = documentSchema(WebhookResource)
  .extend({
    meta: z
      .object({ events_never_sent: z.array(z.enum(unsentEventNames)) })
      .optional()
      .describe("Present only when `events` names events that this service accepts but never sends."),
  })
  .meta({ id: "WebhookWithNotes" });

const webhookRecord = defineRecord({
  type,
  tag,
  path: "/webhooks/{id}",
  params: { id: { of: "webhook", kind: "uuid", description: "The webhook's id." } },
  shown: { description: "The webhook.", schema: WebhookDocument },
  find: ({ webhooks }, { accountId }, { id }) => webhooks.find(accountId, id),
  resource: (_services, caller) => webhookResourceFor(caller),
});

const listWebhooks = listRoute(webhookRecord, {
  path: "/webhooks",
  operationId: "listWebhooks",
  summary: "List webhooks",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of webhooks, newest first.", schema: pageSchema(WebhookResource) },
  list: ({ webhooks }, { accountId }, { page }) => webhooks.list(accountId, page),
});

const createWebhook = defineRoute({
  method: "post",
  path: "/webhooks",
  operationId: "createWebhook",
  summary: "Create a webhook",
  description:
    "Creates a webhook and generates its signing secret, which is returned with the webhook. An account may have up " +
    `to ${webhooksPerAccountMax} webhooks unless the operator set another limit; beyond it the response is 422 ` +
    "`limit_reached`.",
  tag,
  scope: "write",
  action: "manage_webhooks",
  request: { query: { type }, body: { document: createWebhookDocument } },
  responses: { 201: webhookRecord.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const { url, active, paused = false, rate_limit: rateLimit = null } = body.attributes;
    const headers = body.attributes.headers ?? [];
    const events = body.attributes.events ?? catalogueEventNames.filter((event) => isOffered(event, caller.features));
    checkSubscriptions(events, caller);
    const draft = {
      id: services.ids.next(),
      url: readWebhookTarget(url, services.settings),
      events,
      active,
      paused,
      rateLimit,
      secret: generateWebhookSecret(),
      headers: capitalize(headers),
    };
    const webhook = await services.transaction(caller.accountId, async (_sql, { webhooks, clock, settings }) => {
      await checkWebhookLimit(webhooks, caller.accountId, settings.webhooksPerAccount);
      return webhooks.create(caller.accountId, draft, clock.now());
    });
    return noteUnsent(await createdReply(exchange, webhook, webhookResourceFor(exchange.caller)), webhook);
  },
});

const getWebhook = defineRoute({
  method: "get",
  path: webhookRecord.path,
  operationId: "getWebhook",
  summary: "Get a webhook",
  description: "Returns the webhook with this id, also while it is paused or disabled.",
  tag,
  scope: "read",
  request: { params: webhookRecord.params, query: { type } },
  responses: { 200: webhookRecord.shown },
  async handle(exchange) {
    const webhook = await findRecord(webhookRecord, exchange);
    return noteUnsent(await recordReply(exchange, webhook, webhookResourceFor(exchange.caller)), webhook);
  },
});

const editWebhook = defineRoute({
  method: "patch",
  path: webhookRecord.path,
  operationId: "editWebhook",
  summary: "Update a webhook",
  description:
    "Changes the given attributes. `active: true` re-enables a webhook that was disabled after repeated failures. " +
    "`paused: true` holds deliveries back; `paused: false` sends them. `rate_limit` is the maximum number of " +
    "deliveries per second.",
  tag,
  scope: "write",
  action: "manage_webhooks",
  request: {
    params: webhookRecord.params,
    query: { type },
    body: { document: editWebhookDocument },
    conditional: true,
  },
  responses: { 200: webhookRecord.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { url, headers, events, active, paused, rate_limit: rateLimit } = body.attributes;
    if (events) checkSubscriptions(events, caller);
    const edit = {
      ...(url !== undefined && { url: readWebhookTarget(url, services.settings) }),
      ...(events && { events }),
      ...(active !== undefined && { active }),
      ...(paused !== undefined && { paused }),
      ...(rateLimit !== undefined && { rateLimit }),
      ...(headers && { headers: capitalize(headers) }),
    };
    const options = { now: services.clock.now(), ifVersions };
    const changed = await services.webhooks.edit(caller.accountId, params.id, edit, options);
    const webhook = changed ?? (await findRecord(webhookRecord, exchange));
    checkWritten(changed !== null, ifVersions, webhook);
    return noteUnsent(await recordReply(exchange, webhook, webhookResourceFor(exchange.caller)), webhook);
  },
});

const deleteWebhook = deleteRoute(webhookRecord, {
  action: "manage_webhooks",
  operationId: "deleteWebhook",
  summary: "Delete a webhook",
  description: "Deletes the webhook and stops its deliveries. Its notifications can still be read.",
  response: { status: 200, description: "Deleted; the body is empty." },
  remove: ({ webhooks, clock }, { accountId }, { id }, ifVersions) =>
    webhooks.delete(accountId, id, { now: clock.now(), ifVersions }),
});

export const webhookRoutes = [listWebhooks, createWebhook, getWebhook, editWebhook, deleteWebhook];
