import type { WebhookDeliveryResource } from "@svc/sdk";
import { type Html, html, listTable } from "@svc/views";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { withWordBreaks } from "../pages/word-breaks.ts";
import { type Delivery, deliveryText } from "./delivery-text.ts";
import { subjectLinks } from "./subject-links.ts";

type DeliveryStatus = Delivery["delivery_status"];

const labels = { pending: "Pending", succeeded: "Delivered", failed: "Failed" } as const satisfies Record<
  DeliveryStatus,
  string
>;
const tones = { pending: "calm", succeeded: "good", failed: "bad" } as const satisfies Record<DeliveryStatus, string>;

export const statusLabel = (status: DeliveryStatus): string => labels[status];

/** `isUnsent`: the webhook was deleted before the first attempt. */
export function statusBadge(status: DeliveryStatus, isUnsent = false): Html {
  if (isUnsent) return html`<span class="state calm">Not sent: webhook deleted</span>`;
  return html`<span class="state ${tones[status]}">${labels[status]}</span>`;
}

/** Whether the webhook was deleted before the first attempt: no attempt failed. */
export const isUnsent = ({ webhook_url: url, last_attempt: last, delivery_status: status }: Delivery): boolean =>
  url === null && last === null && status === "failed";

/** `withWebhook`: shows the webhook in each row. */
export function notificationTable(
  deliveries: readonly WebhookDeliveryResource[],
  { withWebhook }: { readonly withWebhook: boolean },
): Html {
  const webhookCell = (id: string | undefined, url: string | null) =>
    html`<td class="address" data-label="Webhook">${url === null ? html`<span class="muted">deleted</span>` : html`<a class="one-line" href="/developers/webhooks/${id}" title="${url}">${url.replace(/^https?:\/\//, "")}</a>`}</td>`;
  const row = ({ id, attributes, relationships }: WebhookDeliveryResource) => {
    const state = deliveryText(attributes);
    const badge = statusBadge(attributes.delivery_status, isUnsent(attributes));
    return html`
      <tr>
        <th scope="row" data-label="Event">
          <a class="row-link" href="/developers/notifications/${id}">${withWordBreaks(attributes.event)}</a></th>
        <td data-label="About">${subjectLinks(attributes.body)}</td>
        ${withWebhook && webhookCell(relationships.webhook.data?.id, attributes.webhook_url)}
        <td data-label="Status">${badge}${state && html` <span class="muted">${state}</span>`}</td>
        <td data-label="Created">${relativeTimestamp(attributes.created_at)}</td>
      </tr>`;
  };
  return listTable({
    className: "names notifications",
    caption: "Notifications, the newest first",
    columns: ["Event", "About", ...(withWebhook ? ["Webhook"] : []), "Status", "Created"],
    rows: deliveries.map(row),
  });
}
