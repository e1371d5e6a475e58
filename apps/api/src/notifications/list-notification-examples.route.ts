import { webhookEventNames } from "@svc/domain/webhooks";
import { NotificationExamples } from "@svc/jsonapi/notifications";
import { enumValue } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { checkOffered } from "../webhooks/check-offered.ts";
import { exampleNotification } from "./example-notification.ts";

/** docs/contract/reference.md 1.8. */
export const listNotificationExamplesRoute = defineRoute({
  method: "get",
  path: "/webhook_notifications/examples",
  operationId: "listWebhookNotificationExamples",
  summary: "List sample notifications of an event",
  description: "Returns a sample with its included records, as if the event happened now.",
  tag: "Webhook notifications",
  scope: "read",
  request: {
    query: {
      parameters: { event: enumValue("event", "Name of the event.", webhookEventNames) },
    },
  },
  responses: { 200: { description: "The sample.", schema: NotificationExamples } },
  async handle({ services, caller, query }) {
    // A query without the event was refused before.
    const { event } = query.parameters as Required<typeof query.parameters>;
    checkOffered(event, caller, { parameter: "event" });
    const { data, included } = JSON.parse(exampleNotification(event, services).body);
    return { status: 200, document: { data: [data], included } };
  },
});
