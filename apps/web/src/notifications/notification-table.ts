import type { DeliveryDetails } from "@svc/persistence/notifications";
import type { NotificationResource } from "@svc/sdk";
import { type Html, html } from "../http/html.ts";
import { breakable } from "../pages/breakable.ts";
import { moment } from "../pages/moment.ts";
import { deliveryWords } from "./delivery-words.ts";
import { subjectLinks } from "./notification-subjects.ts";

type DeliveryStatus = NotificationResource["attributes"]["delivery_status"];

const words = { pending: "Pending", succeeded: "Delivered", failed: "Failed" } as const satisfies Record<
  DeliveryStatus,
  string
>;
const tones = { pending: "calm", succeeded: "good", failed: "bad" } as const satisfies Record<DeliveryStatus, string>;

export const statusWords = (status: DeliveryStatus): string => words[status];

/** `isUnsent`: the webhook was deleted before the first attempt. */
export function statusBadge(status: DeliveryStatus, isUnsent = false): Html {
  if (isUnsent) return html`<span class="state calm">Not sent: webhook deleted</span>`;
  return html`<span class="state ${tones[status]}">${words[status]}</span>`;
}

/** What a table shows in addition to the API's list: the related records and the state of delivery. */
export interface NotificationDetails {
  /** The related records as JSON, by notification id. */
  readonly included: ReadonlyMap<string, string>;
  readonly deliveries: readonly DeliveryDetails[];
}

/** Whether the webhook was deleted before the first attempt: no attempt failed. */
export const isUnsent = (delivery: DeliveryDetails | undefined, status: DeliveryStatus): boolean =>
  delivery?.webhookUrl === null && delivery.lastAttempt === null && status === "failed";

/** `withWebhook`: shows the webhook in each row. */
export function notificationTable(
  notifications: readonly NotificationResource[],
  { included, deliveries }: NotificationDetails,
  { withWebhook }: { readonly withWebhook: boolean },
): Html {
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.notificationId, delivery]));
  const webhookCell = (id: string | undefined, url: string | null) =>
    html`<td class="address" data-label="Webhook">${url === null ? html`<span class="muted">deleted</span>` : html`<a href="/developers/webhooks/${id}">${breakable(url)}</a>`}</td>`;
  const row = ({ id, attributes, relationships }: NotificationResource) => {
    const delivery = deliveryOf.get(id);
    const state = delivery && deliveryWords(delivery);
    const badge = statusBadge(attributes.delivery_status, isUnsent(delivery, attributes.delivery_status));
    return html`
      <tr>
        <th scope="row" data-label="Event">
          <a class="row-link" href="/developers/notifications/${id}">${breakable(attributes.event)}</a></th>
        <td data-label="About">${subjectLinks(included.get(id) ?? "[]")}</td>
        ${withWebhook && webhookCell(relationships.webhook.data?.id, delivery?.webhookUrl ?? null)}
        <td data-label="State">${badge}${state && html` <span class="muted">${state}</span>`}</td>
        <td data-label="Created">${moment(attributes.created_at)}</td>
      </tr>`;
  };
  return html`
    <table class="list names notifications">
      <caption class="hidden">Notifications, the newest first</caption>
      <thead><tr>
        <th scope="col">Event</th><th scope="col">About</th>${withWebhook && html`<th scope="col">Webhook</th>`}
        <th scope="col">State</th><th scope="col">Created</th>
      </tr></thead>
      <tbody>${notifications.map(row)}</tbody>
    </table>`;
}
