import { isOffered } from "@svc/domain/webhooks";
import { listOrPageSchema } from "@svc/jsonapi/documents";
import { EventCategoryResource, eventCategoryResources } from "@svc/jsonapi/webhooks";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";
import { completeListReply } from "../http/replies.ts";

const tag = "Webhooks";

const listEvents = defineRoute({
  method: "get",
  path: "/webhooks/events",
  operationId: "listWebhookEvents",
  summary: "List webhook events",
  description: "Returns the events by category, all in one response unless a page is requested.",
  tag,
  scope: "read",
  request: { query: { type: "webhook_event_category", wholeList: true } },
  responses: {
    200: { description: "Events by category.", schema: listOrPageSchema(EventCategoryResource) },
  },
  async handle(exchange) {
    const { features } = exchange.caller;
    const categories = eventCategoryResources((event) => isOffered(event, features));
    return completeListReply(exchange, "/webhooks/events", categories);
  },
});

const listIps = defineRoute({
  method: "get",
  path: "/webhooks/ips",
  operationId: "listWebhookIps",
  summary: "List webhook IP addresses",
  description: "Returns the IP addresses from which deliveries are sent, for the allowlist of a receiver.",
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
