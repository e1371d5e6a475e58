import { isOffered } from "@svc/domain";
import {
  EventCategoryResource,
  eventCategoryResources,
  linksOfWhole,
  resourceDocument,
  wholeListOf,
} from "@svc/jsonapi";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";

const tag = "Webhooks";

const listEvents = defineRoute({
  method: "get",
  path: "/webhooks/events",
  operationId: "listWebhookEvents",
  summary: "List the events that a webhook can be told",
  tag,
  scope: "read",
  request: { query: { type: "webhook_event_category" } },
  responses: {
    200: { description: "Events by category.", schema: wholeListOf(EventCategoryResource) },
  },
  async handle({ services, caller, query }) {
    const categories = eventCategoryResources((event) => isOffered(event, caller.features));
    const links = linksOfWhole(`${services.settings.baseUrl}/webhooks/events`, query.pairs);
    return { status: 200, document: resourceDocument(categories, null, query.fields, { links }) };
  },
});

const listIps = defineRoute({
  method: "get",
  path: "/webhooks/ips",
  operationId: "listWebhookIps",
  summary: "List the addresses that notifications come from",
  tag,
  scope: "read",
  plainJson: true,
  request: { query: {} },
  responses: {
    200: {
      description: "The addresses.",
      schema: z
        .object({ webhook_notification_ips: z.array(z.string()), last_updated: z.iso.datetime() })
        .meta({ id: "WebhookIps" }),
    },
  },
  async handle({ services }) {
    const { webhookEgressIps, webhookEgressIpsSince } = services.settings;
    return {
      status: 200,
      document: { webhook_notification_ips: webhookEgressIps, last_updated: webhookEgressIpsSince },
    };
  },
});

export const webhookInformationRoutes = [listEvents, listIps];
