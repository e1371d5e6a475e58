import { dayMs } from "@svc/domain";
import { type DeliveryStatus, deliveryStatuses } from "@svc/domain/notifications";
import type { Client, WebhookPerformanceResource, WebhookResource } from "@svc/sdk";
import { isUnavailable } from "../http/or-null.ts";
import type { PerformancePeriod } from "../webhooks/delivery-charts.ts";
import { isTroubled } from "../webhooks/webhook-text.ts";

/** Notifications of the last 24 hours by status, each up to the count limit of the API. */
export type DeliveryCounts = Readonly<Record<DeliveryStatus, { readonly total: number; readonly isExact: boolean }>>;

/** State of the webhooks and notifications of an account. */
export interface IntegrationHealth {
  readonly webhooks: { readonly total: number; readonly troubled: readonly WebhookResource[] };
  readonly lastDay: DeliveryCounts;
  /** Performance of all webhooks. */
  readonly performance: WebhookPerformanceResource;
  readonly isAnythingTracked: boolean;
}

/** Null while the API is unavailable. */
export async function readHealth(api: Client, period: PerformancePeriod): Promise<IntegrationHealth | null> {
  const createdAfter = new Date(Date.now() - dayMs);
  const count = async (deliveryStatus: DeliveryStatus) => {
    const { meta } = await api.notifications.list({ pageSize: 1, filter: { deliveryStatus, createdAfter } });
    const [total, isExact] = [meta?.page?.total ?? 0, meta?.page?.total_is_exact ?? true];
    return [deliveryStatus, { total, isExact }] as const;
  };
  try {
    const [webhooks, requests, performance, counts] = await Promise.all([
      api.webhooks.list({ pageSize: 100 }),
      api.trackingRequests.list({ pageSize: 1 }),
      api.webhooks.performance({ period }),
      Promise.all(deliveryStatuses.map(count)),
    ]);
    return {
      webhooks: {
        total: webhooks.meta?.page?.total ?? webhooks.data.length,
        troubled: webhooks.data.filter(({ attributes }) => isTroubled(attributes)),
      },
      performance: performance.data,
      lastDay: Object.fromEntries(counts) as DeliveryCounts,
      isAnythingTracked: requests.data.length > 0,
    };
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}
