import type { LatestAttempt } from "@svc/persistence";
import type { NotificationResource } from "@svc/sdk";
import { type Html, html } from "../http/html.ts";
import { moment } from "../pages/moment.ts";
import { subjectLinks } from "./notification-subjects.ts";

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

/** Beyond what the API tells of it: what it is about, and how its last attempt ended. */
export interface NotificationDetails {
  /** By the id of the notification: the records that it is about, as JSON. */
  readonly included: ReadonlyMap<string, string>;
  readonly attempts: readonly LatestAttempt[];
}

/** "answered 500, attempt 3"; nothing before the first attempt. */
function attemptWords({ attemptNumber, httpStatus, errorClass }: LatestAttempt): string {
  const end = httpStatus === null ? (errorClass ?? "not known").replaceAll("_", " ") : `answered ${httpStatus}`;
  return attemptNumber === 1 ? end : `${end}, attempt ${attemptNumber}`;
}

export function notificationTable(
  notifications: readonly NotificationResource[],
  { included, attempts }: NotificationDetails,
): Html {
  const attemptOf = new Map(attempts.map((attempt) => [attempt.notificationId, attempt]));
  const row = ({ id, attributes }: NotificationResource) => {
    const attempt = attemptOf.get(id);
    return html`
      <tr>
        <th scope="row" data-label="Event"><a class="row-link" href="/developers/notifications/${id}">${attributes.event}</a></th>
        <td data-label="About">${subjectLinks(included.get(id) ?? "[]")}</td>
        <td data-label="State">${statusBadge(attributes.delivery_status)}${attempt && html` <span class="muted">${attemptWords(attempt)}</span>`}</td>
        <td data-label="Made">${moment(attributes.created_at)}</td>
      </tr>`;
  };
  return html`
    <table class="list notifications">
      <caption class="hidden">Notifications, the newest first</caption>
      <thead><tr><th scope="col">Event</th><th scope="col">About</th><th scope="col">State</th><th scope="col">Made</th></tr></thead>
      <tbody>${notifications.map(row)}</tbody>
    </table>`;
}
