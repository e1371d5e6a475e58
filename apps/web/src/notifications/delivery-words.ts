import type { DeliveryStatus } from "@svc/domain/notifications";
import { attemptsMax } from "@svc/domain/webhooks";
import type { DeliveryDetails } from "@svc/persistence/notifications";
import { type Html, html } from "../http/html.ts";
import { moment } from "../pages/moment.ts";

type LastAttempt = NonNullable<DeliveryDetails["lastAttempt"]>;

/** "answered 500", "connection failed". */
export const endWords = ({ httpStatus, errorClass }: Pick<LastAttempt, "httpStatus" | "errorClass">): string =>
  httpStatus === null ? (errorClass ?? "not known").replaceAll("_", " ") : `answered ${httpStatus}`;

/** "attempt 4 of 13" while retries are due, "attempt 4" afterwards; null when the first attempt succeeded. */
function counted({ nextAttemptAt, priorAttempts }: DeliveryDetails, { number }: LastAttempt): string | null {
  if (nextAttemptAt !== null) return `attempt ${number} of ${priorAttempts + attemptsMax}`;
  return number === 1 ? null : `attempt ${number}`;
}

const isBeingSent = ({ state }: DeliveryDetails): boolean => state === "queued" || state === "in_flight";

/** When the next attempt is due; null: no further attempt. */
export function nextAttempt(details: DeliveryDetails, due = "due"): Html | null {
  if (details.nextAttemptAt === null) return null;
  if (isBeingSent(details)) return html`being sent now`;
  if (details.state === "held") return html`waits for its webhook, which is paused or off`;
  return html`${due} ${moment(details.nextAttemptAt)}`;
}

/** "answered 500, attempt 4 of 13, next due in 6 minutes"; null when there is nothing to say. */
export function deliveryWords(details: DeliveryDetails): Html | null {
  const { lastAttempt } = details;
  const due = lastAttempt ? "next due" : "due";
  const parts = [
    lastAttempt && endWords(lastAttempt),
    lastAttempt && counted(details, lastAttempt),
    nextAttempt(details, due),
  ];
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : html`${said.map((part, index) => html`${index > 0 && ", "}${part}`)}`;
}

/** The hint beside the "Resend" button. */
export function resendHint(details: DeliveryDetails, status: DeliveryStatus): Html {
  if (status === "succeeded") return html`Already delivered. Resending sends it again with the same id.`;
  const { nextAttemptAt, state } = details;
  if (nextAttemptAt === null)
    return html`No further attempt is due. Resending keeps the id and restarts the retry schedule.`;
  if (isBeingSent(details)) return html`An attempt is in progress. If it fails, the next attempt follows at once.`;
  if (state === "held")
    return html`The webhook is paused or disabled: nothing is sent, neither automatically nor by this button.`;
  return html`<strong>Next automatic attempt: ${moment(nextAttemptAt)}.</strong>
    Resending attempts it now and restarts the retry schedule.`;
}
