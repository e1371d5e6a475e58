import { attemptsMax } from "@svc/domain/webhooks";
import type { WebhookDeliveryResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { relativeTimestamp } from "../pages/timestamps.ts";

/** The delivery of a notification, as the API describes it. */
export type Delivery = WebhookDeliveryResource["attributes"];
type LastAttempt = NonNullable<Delivery["last_attempt"]>;

/** "answered 500", "connection failed". */
export const endText = (end: Pick<LastAttempt, "status_code" | "error_class">): string =>
  end.status_code === null ? (end.error_class ?? "not known").replaceAll("_", " ") : `answered ${end.status_code}`;

/** "attempt 4 of 13" while retries are due, "attempt 4" afterwards; null when the first attempt succeeded. */
function counted(delivery: Delivery, { attempt_number: number }: LastAttempt): string | null {
  if (delivery.next_attempt_at !== null) return `attempt ${number} of ${delivery.prior_attempts + attemptsMax}`;
  return number === 1 ? null : `attempt ${number}`;
}

const isBeingSent = ({ state }: Delivery): boolean => state === "queued" || state === "in_flight";

/** When the next attempt is due; null: no further attempt. */
export function nextAttempt(delivery: Delivery, due = "due"): Html | null {
  if (delivery.next_attempt_at === null) return null;
  if (isBeingSent(delivery)) return html`being sent now`;
  if (delivery.state === "held") return html`waits for its webhook, which is paused or disabled`;
  return html`${due} ${relativeTimestamp(delivery.next_attempt_at)}`;
}

/** "answered 500, attempt 4 of 13, next due in 6 minutes"; null when there is nothing to say. */
export function deliveryText(delivery: Delivery): Html | null {
  const { last_attempt: lastAttempt } = delivery;
  const due = lastAttempt ? "next due" : "due";
  const parts = [
    lastAttempt && endText(lastAttempt),
    lastAttempt && counted(delivery, lastAttempt),
    nextAttempt(delivery, due),
  ];
  const presentParts = parts.filter((part) => part !== null);
  return presentParts.length === 0
    ? null
    : html`${presentParts.map((part, index) => html`${index > 0 && ", "}${part}`)}`;
}

/** The hint beside the "Resend" button. */
export function resendHint(delivery: Delivery): Html {
  const { delivery_status: status, next_attempt_at: nextAttemptAt, state } = delivery;
  if (status === "succeeded") return html`Already delivered. Resending sends it again with the same id.`;
  if (nextAttemptAt === null)
    return html`No further attempt is due. Resending keeps the id and restarts the retry schedule.`;
  if (isBeingSent(delivery)) return html`An attempt is in progress. If it fails, the next attempt follows at once.`;
  if (state === "held")
    return html`The webhook is paused or disabled: nothing is sent, neither automatically nor by this button.`;
  return html`<strong>Next automatic attempt: ${relativeTimestamp(nextAttemptAt)}.</strong>
    Resending attempts it now and restarts the retry schedule.`;
}
