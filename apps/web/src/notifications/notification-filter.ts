import { dayMs } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { type DeliveryStatus, deliveryStatuses } from "@svc/domain/notifications";
import { eventCategories } from "@svc/domain/webhooks";
import type { Request } from "express";
import { queryText } from "../http/read-request.ts";
import { apiQuery } from "../pages/same-from-api.ts";

export const sinceLabels = { day: "The last 24 hours", week: "The last 7 days", month: "The last 30 days" } as const;

export type Since = keyof typeof sinceLabels;

const sinceDays: Readonly<Record<Since, number>> = { day: 1, week: 7, month: 30 };

/** The filters in the address of the list; null: not filtered. */
export interface NotificationFilter {
  readonly status: DeliveryStatus | null;
  readonly webhookId: string | null;
  readonly event: string | null;
  readonly since: Since | null;
}

export const eventNames: readonly string[] = eventCategories.flatMap(({ events }) => events.map(([name]) => name));

const isSince = (text: string): text is Since => Object.hasOwn(sinceLabels, text);

/** Ignores invalid values in the address. */
export function readNotificationFilter(request: Request): NotificationFilter {
  const [status, webhook, since] = [
    queryText(request, "status"),
    queryText(request, "webhook").toLowerCase(),
    queryText(request, "since"),
  ];
  return {
    status: deliveryStatuses.find((one) => one === status) ?? null,
    webhookId: isUuid(webhook) ? webhook : null,
    event: eventNames.find((name) => name === queryText(request, "event")) ?? null,
    since: isSince(since) ? since : null,
  };
}

/** The filter of the API's list operation. */
export function apiFilterOf({ status, webhookId, event, since }: NotificationFilter) {
  return {
    deliveryStatus: status ?? undefined,
    webhook: webhookId ?? undefined,
    event: event ?? undefined,
    createdAfter: since === null ? undefined : new Date(Date.now() - sinceDays[since] * dayMs),
  };
}

/** The API request for the same list, relative to /v2. */
export function apiPathOf(filter: NotificationFilter): string {
  const { deliveryStatus, webhook, event, createdAfter } = apiFilterOf(filter);
  return `/webhook_deliveries${apiQuery({
    "filter[delivery_status]": deliveryStatus,
    "filter[webhook]": webhook,
    "filter[event]": event,
    "filter[created_after]": createdAfter && `${createdAfter.toISOString().slice(0, 16)}:00Z`,
  })}`;
}

export function notificationsAddress({ status, webhookId, event, since }: NotificationFilter, page = 1): string {
  const query = new URLSearchParams();
  if (webhookId !== null) query.set("webhook", webhookId);
  if (status !== null) query.set("status", status);
  if (event !== null) query.set("event", event);
  if (since !== null) query.set("since", since);
  if (page > 1) query.set("page", String(page));
  const text = query.toString();
  return text === "" ? "/developers/notifications" : `/developers/notifications?${text}`;
}
