import type { WebhookEventName } from "@svc/domain/webhooks";
import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import { type Reader, type ReadOptions, segment } from "./reader.ts";
import { attemptKind, notificationKind, webhookDeliveryKind } from "./record-kinds.ts";

export interface NotificationFilters {
  /** Status, such as `failed`. */
  readonly deliveryStatus?: FilterValue;
  readonly event?: FilterValue;
  readonly webhook?: FilterValue;
  readonly createdAfter?: string | Date | undefined;
}

export type NotificationListParameters = PageParameters & { readonly filter?: NotificationFilters | undefined };

export function notificationsResource<F extends Format>(reader: Reader<F>) {
  const root = "/webhook_notifications";
  const deliveries = "/webhook_deliveries";
  return {
    list<G extends Format = F>(parameters: NotificationListParameters = {}, options?: ReadOptions<G>) {
      return reader.list(notificationKind, root, filterQuery({ ...parameters.filter }), parameters, options);
    },
    iterate<G extends Format = F>(parameters: Omit<NotificationListParameters, "page"> = {}, options?: ReadOptions<G>) {
      return reader.iterate(notificationKind, root, filterQuery({ ...parameters.filter }), parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(notificationKind, { method: "GET", path: `${root}/${segment(id)}` }, options);
    },
    /** Sample notifications of one kind of event, as a webhook would receive them. */
    examples<G extends Format = F>(event: WebhookEventName, options?: ReadOptions<G>) {
      return reader.list(notificationKind, `${root}/examples`, { event }, {}, options);
    },
    /** Every request that the receiver may have seen, the latest first. */
    attempts<G extends Format = F>(id: string, parameters: PageParameters = {}, options?: ReadOptions<G>) {
      return reader.list(attemptKind, `${root}/${segment(id)}/attempts`, {}, parameters, options);
    },
    iterateAttempts<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.iterate(attemptKind, `${root}/${segment(id)}/attempts`, {}, {}, options);
    },
    /** Notifications with the state of their delivery, their last and next attempt and the body that is sent. */
    deliveries<G extends Format = F>(parameters: NotificationListParameters = {}, options?: ReadOptions<G>) {
      return reader.list(webhookDeliveryKind, deliveries, filterQuery({ ...parameters.filter }), parameters, options);
    },
    /** The delivery of the notification with this id. */
    delivery<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(webhookDeliveryKind, { method: "GET", path: `${deliveries}/${segment(id)}` }, options);
    },
    /** Sends it once more, with the same id. */
    async redeliver(id: string, options?: CallOptions): Promise<void> {
      await reader.send({ method: "POST", path: `${root}/${segment(id)}/redeliver`, options });
    },
  };
}
