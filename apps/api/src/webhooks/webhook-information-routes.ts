import type { WebhookEventName } from "@svc/domain";
import { EventCategoryResource, eventCategoryResources, resourceDocument } from "@svc/jsonapi";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";

const tag = "Webhooks";

/** Events that only accounts with a paid feature are told (reference-contract.md 3.1). */
const featureOfEvent: Partial<Readonly<Record<WebhookEventName, string>>> = {
  "container.pickup_lfd_rail.changed": "rail_deadlines",
};

const listEvents = defineRoute({
  method: "get",
  path: "/webhooks/events",
  operationId: "listWebhookEvents",
  summary: "List the events that a webhook can be told",
  tag,
  scope: "read",
  request: { query: { type: "webhook_event_category" } },
  responses: {
    200: { description: "Events by category.", schema: z.object({ data: z.array(EventCategoryResource) }) },
  },
  async handle({ caller, query }) {
    const isOffered = (event: WebhookEventName): boolean => {
      const feature = featureOfEvent[event];
      return feature === undefined || caller.features.includes(feature);
    };
    return { status: 200, document: resourceDocument(eventCategoryResources(isOffered), null, query.fields) };
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
