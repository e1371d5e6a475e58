import { addMs, hourMs, instant } from "@svc/domain";
import { documentSchema, documentSelfLink, resourceDocument } from "@svc/jsonapi/documents";
import { enumValue, oneId, type QueryDefinition } from "@svc/jsonapi/query";
import { WebhookPerformanceResource, webhookPerformanceResource } from "@svc/jsonapi/webhooks";
import { countedAtEachEnd } from "@svc/persistence/notifications";
import { defineRoute } from "../http/define-route.ts";

const periods = ["day", "week"] as const;
/** A day by the hour, a week by a quarter of a day. */
const intervalsByPeriod = {
  day: { intervalMs: hourMs, count: 24 },
  week: { intervalMs: 6 * hourMs, count: 28 },
} as const;

const query = {
  type: "webhook_performance",
  parameters: {
    webhookId: oneId("filter[webhook]", "Id of a webhook. Default: all webhooks of the account."),
    period: {
      ...enumValue("period", "day: 24 hours by the hour (default); week: 7 days by 6 hours.", periods),
      required: false,
    },
  },
} as const satisfies QueryDefinition;

export const getWebhookPerformanceRoute = defineRoute({
  method: "get",
  path: "/webhook_performance",
  operationId: "getWebhookPerformance",
  summary: "Get success rate and latency of webhooks",
  description:
    "Returns how many delivery attempts succeeded and failed over time, and how long they took (median, 95th and 99th " +
    "percentile), of one webhook or of all. Of the notifications that were created in an interval, the newest " +
    `${countedAtEachEnd} and the oldest ${countedAtEachEnd} are counted, and deliveries that wait for a retry.`,
  tag: "Webhooks",
  scope: "read",
  request: { query },
  responses: { 200: { description: "The figures.", schema: documentSchema(WebhookPerformanceResource) } },
  async handle({ services, caller: { accountId }, query }) {
    const { webhookId = null, period } = query.parameters;
    const { intervalMs, count } = intervalsByPeriod[period ?? "day"];
    // Whole intervals, so that past figures do not change with every request.
    const endMs = (Math.floor(Date.now() / intervalMs) + 1) * intervalMs;
    const performance = await services.readDeliveryPerformance(accountId, webhookId, { endMs, intervalMs, count });
    const start = instant(endMs - count * intervalMs);
    const resource = webhookPerformanceResource({
      id: webhookId ?? accountId,
      ...performance,
      intervals: performance.intervals.map((metrics, index) => ({
        ...metrics,
        startedAt: addMs(start, index * intervalMs),
        endedAt: addMs(start, (index + 1) * intervalMs),
      })),
    });
    const links = documentSelfLink(`${services.settings.baseUrl}/webhook_performance`, query.pairs);
    return { status: 200, document: resourceDocument(resource, [], query.fields, { links }) };
  },
});
