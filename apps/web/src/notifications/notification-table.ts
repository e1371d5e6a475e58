import type { NotificationResource } from "@svc/sdk";
import { type Html, html } from "../http/html.ts";
import { moment } from "../pages/moment.ts";

type DeliveryStatus = NotificationResource["attributes"]["delivery_status"];

const words = { pending: "Waiting", succeeded: "Received", failed: "Failed" } as const satisfies Record<
  DeliveryStatus,
  string
>;
const tones = { pending: "calm", succeeded: "good", failed: "bad" } as const satisfies Record<DeliveryStatus, string>;

export const statusWords = (status: DeliveryStatus): string => words[status];

export function statusBadge(status: DeliveryStatus): Html {
  return html`<span class="state ${tones[status]}">${words[status]}</span>`;
}

export function notificationTable(notifications: readonly NotificationResource[]): Html {
  return html`
    <table class="list">
      <caption class="hidden">Notifications, the newest first</caption>
      <thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Id</th><th scope="col">Made</th></tr></thead>
      <tbody>
        ${notifications.map(
          ({ id, attributes }) => html`
            <tr>
              <th scope="row" data-label="Event"><a class="row-link" href="/developers/notifications/${id}">${attributes.event}</a></th>
              <td data-label="State">${statusBadge(attributes.delivery_status)}</td>
              <td data-label="Id"><code>${id}</code></td>
              <td data-label="Made">${moment(attributes.created_at)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
