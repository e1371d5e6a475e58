import { addMs, hourMs, instant } from "@svc/domain";
import type { Webhook } from "@svc/domain/webhooks";
import { pageSchema } from "@svc/jsonapi/documents";
import { type WebhookStatistics, WebhookStatisticsResource, webhookStatisticsResource } from "@svc/jsonapi/webhooks";
import { countedInHourMax } from "@svc/persistence/notifications";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";

const hoursCounted = 24;

async function readStatistics(
  services: Services,
  accountId: string,
  webhooks: readonly Webhook[],
): Promise<(WebhookStatistics & Pick<Webhook, "createdAt">)[]> {
  if (webhooks.length === 0) return [];
  const ids = webhooks.map(({ id }) => id);
  // Whole hours, so that the figures of a past hour and the entity tag do not change with every request.
  const endMs = Math.floor(Date.now() / hourMs + 1) * hourMs;
  const start = instant(endMs - hoursCounted * hourMs);
  const [hours, failures] = await Promise.all([
    services.readDeliveryHours(accountId, ids, { nowMs: endMs - 1, hours: hoursCounted }),
    services.readLastFailures(accountId, ids),
  ]);
  return webhooks.map(({ id, createdAt }) => {
    const own = hours.filter(({ webhookId }) => webhookId === id);
    return {
      id,
      createdAt,
      hours: Array.from({ length: hoursCounted }, (_, index) => {
        const counted = own.find(({ hour }) => hour === index);
        return {
          startedAt: addMs(start, index * hourMs),
          delivered: counted?.received ?? 0,
          failed: counted?.failed ?? 0,
          pending: counted?.waiting ?? 0,
          isCapped: counted?.isCapped ?? false,
        };
      }),
      lastFailure: failures.find(({ webhookId }) => webhookId === id) ?? null,
    };
  });
}

export const listWebhookStatisticsRoute = defineRoute({
  method: "get",
  path: "/webhook_statistics",
  operationId: "listWebhookStatistics",
  summary: "List delivery statistics of webhooks",
  description:
    `Returns, for each webhook, the notifications of the last ${hoursCounted} hours by result, and its last failure. At ` +
    `most the newest ${countedInHourMax} notifications are counted.`,
  tag: "Webhooks",
  scope: "read",
  request: { query: { type: "webhook_statistics", list: { sortKeys: { created_at: "instant" } } } },
  responses: {
    200: { description: "A page of webhooks, newest first.", schema: pageSchema(WebhookStatisticsResource) },
  },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const page = await services.webhooks.list(caller.accountId, query.page);
    const items = await readStatistics(services, caller.accountId, page.items);
    return listReply<(typeof items)[number]>(exchange, {
      path: "/webhook_statistics",
      page: { ...page, items },
      resource: webhookStatisticsResource,
      sortValues: { created_at: (statistics) => statistics.createdAt },
    });
  },
});
