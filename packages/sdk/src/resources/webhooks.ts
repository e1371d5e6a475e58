import type { WebhookEventName } from "@svc/domain/webhooks";
import type { EventCategoryResource } from "@svc/jsonapi/webhooks";
import { filterQuery, type PageParameters } from "../documents/query.ts";
import { writeDocument } from "../documents/write-document.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { plainRecordCalls } from "./plain-records.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import {
  feedNotificationKind,
  webhookKind,
  webhookNoticeKind,
  webhookPerformanceKind,
  webhookStatisticsKind,
} from "./record-kinds.ts";

export interface NewWebhook {
  /** HTTPS. */
  readonly url: string;
  /** Event names, families such as `container.transport.*`, or `*`. */
  readonly events: readonly string[];
  readonly active?: boolean | undefined;
  /** Holds its deliveries back until it is false again. */
  readonly paused?: boolean | undefined;
  /** Deliveries that may begin in any second; null for no limit. */
  readonly rateLimit?: number | null | undefined;
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** Position in the notifications of a webhook. */
export interface FeedPlace {
  /** `meta.page.end_cursor` of the page before; default: from the beginning. */
  readonly after?: string | undefined;
  /** 1 to 100; the API's default is 30. */
  readonly pageSize?: number | undefined;
}

/** Response to one sample notification. */
export interface TriggerResult {
  readonly url: string;
  readonly succeeded: boolean;
  readonly error: string | null;
  readonly status_code: number | null;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly request_body: string;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly response_body: string | null;
}

export function webhooksResource<F extends Format>(reader: Reader<F>) {
  const path = (id: string, rest = "") => `/webhooks/${segment(id)}${rest}`;
  return {
    ...plainRecordCalls(reader, webhookKind, "/webhooks"),
    /** The response has the `secret` that signs its deliveries. */
    create<G extends Format = F>(webhook: NewWebhook, options?: CreateOptions<G>) {
      const body = writeDocument("webhook", undefined, { active: true, ...webhook });
      return reader.one(webhookKind, { method: "POST", path: "/webhooks", body }, options);
    },
    /**
     * `active: true` starts deliveries again after the service stopped them, `paused: false` after you held them back.
     */
    update<G extends Format = F>(id: string, edit: Partial<NewWebhook>, options?: WriteOptions<G>) {
      const request = {
        method: "PATCH",
        path: path(id),
        body: writeDocument("webhook", id, edit),
      } as const;
      return reader.one(webhookKind, request, options);
    },
    /** A new secret; deliveries are signed with the old one too for 24 hours. */
    rotateSecret<G extends Format = F>(id: string, options?: CreateOptions<G>) {
      return reader.one(webhookKind, { method: "POST", path: path(id, "/rotate_secret") }, options);
    },
    /** Redelivers failed, or all, notifications created from `since` until `until`. Resolves to their number. */
    async recover(
      id: string,
      range: {
        readonly since: string;
        /** Now when absent. */
        readonly until?: string | undefined;
        /** `failed` when absent. */
        readonly only?: "failed" | "all" | undefined;
      },
      options?: CallOptions,
    ): Promise<{ readonly recovered: number }> {
      const request = { method: "POST", body: range, mediaType: "application/json" } as const;
      const response = await reader.send({ ...request, path: path(id, "/recover"), options });
      return response.body as { recovered: number };
    },
    /** Sends one sample to any address; resolves also when the receiver refused it. */
    async trigger(
      sample: { readonly url: string; readonly event: WebhookEventName; readonly secret?: string | undefined },
      options?: CallOptions,
    ): Promise<TriggerResult> {
      const request = {
        method: "POST",
        path: "/webhooks/trigger",
        body: sample,
        mediaType: "application/json",
      } as const;
      return (await reader.send({ ...request, options })).body as TriggerResult;
    },
    /** Events by category, limited to those of the account's features. */
    async events(options?: CallOptions): Promise<{ readonly data: readonly EventCategoryResource[] }> {
      const response = await reader.send({ method: "GET", path: "/webhooks/events", options });
      return response.body as { data: EventCategoryResource[] };
    },
    /** Addresses from which deliveries come. */
    async ips(options?: CallOptions) {
      const response = await reader.send({ method: "GET", path: "/webhooks/ips", options });
      return response.body as { readonly webhook_notification_ips: readonly string[]; readonly last_updated: string };
    },
    /** Notifications of the last 24 hours by result and the last failure of each webhook, newest webhook first. */
    statistics<G extends Format = F>(parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(webhookStatisticsKind, "/webhook_statistics", {}, parameters, options);
    },
    /**
     * Success rate and latency of delivery attempts over time. `webhook`: id of one; default all. `period`: day
     * (default) or week.
     */
    performance<G extends Format = F>(
      { webhook, period }: { readonly webhook?: string | undefined; readonly period?: "day" | "week" | undefined } = {},
      options?: ReadOptions<G>,
    ) {
      const query = { ...filterQuery({ webhook }), period };
      return reader.one(webhookPerformanceKind, { method: "GET", path: "/webhook_performance", query }, options);
    },
    /** Warnings while its endpoint fails, its deactivation and its recovery, newest first. */
    notices<G extends Format = F>(id: string, parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(webhookNoticeKind, path(id, "/notices"), {}, parameters, options);
    },
    /**
     * The notifications of this webhook in delivery order, each with its complete `body`, to receive events without a
     * public endpoint. Pass `meta.page.end_cursor` as `after` in the next call.
     */
    notifications<G extends Format = F>(id: string, place: FeedPlace = {}, options?: ReadOptions<G>) {
      return reader.list(feedNotificationKind, path(id, "/notifications"), {}, place, options);
    },
    /** All of them from the beginning, page after page. */
    iterateNotifications<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.iterate(feedNotificationKind, path(id, "/notifications"), {}, {}, options);
    },
  };
}
