import type { AlertChannel } from "@svc/domain/alerts";
import { type ExceptionKind, exceptionKinds } from "@svc/domain/exceptions";
import type { AlertSubscriptionResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { kindLabels } from "@svc/views/exceptions";

type Attributes = AlertSubscriptionResource["attributes"];

/** The kinds that "All holds" stands for. */
export const holdKinds = ["customs_hold", "hold"] as const satisfies readonly ExceptionKind[];

const isHoldKind = (kind: ExceptionKind): boolean => holdKinds.some((one) => one === kind);

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

export const clockTime = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** "At once", or "Every Monday at 07:00, Europe/Berlin". */
export function scheduleText({ frequency, hour, weekday, time_zone: zone }: Attributes): string {
  if (frequency === "at_once") return "At once";
  const day = frequency === "daily" ? "day" : (weekdays[(weekday ?? 1) - 1] ?? "week");
  return `Every ${day} at ${clockTime(hour ?? 0)}, ${zone?.replaceAll("_", " ") ?? "UTC"}`;
}

/** Whether mails are sent, kept where the app shows them, or not written because no mail server is configured. */
export type MailDelivery = "sent" | "kept" | "none";

/** Returns a note on where mails are when they are not sent; null: they are sent. */
export const mailNote = (mail: MailDelivery): Html | null => {
  if (mail === "sent") return null;
  return mail === "kept"
    ? html`<p>This installation does not send email. It keeps your emails under <a href="/account/mail">Mail</a>.</p>`
    : html`<p>This installation does not send email, because its operator has not set <code>SVC_SMTP_URL</code> and
      <code>SVC_MAIL_FROM</code>. Owners can send alerts to a Slack or Teams channel.</p>`;
};

export const channelLabels: Readonly<Record<Exclude<AlertChannel, "email">, string>> = {
  slack: "Slack channel",
  teams: "Teams channel",
};

export const receiverText = ({ channel, member, mailbox }: Attributes): string =>
  channel === "email" ? (member ?? mailbox ?? "A former member") : channelLabels[channel];

/** Whether the readers of its mailbox have not agreed to receive it. */
export const awaitsConfirmation = ({ mailbox, confirmed_at: confirmedAt }: Attributes): boolean =>
  mailbox !== null && confirmedAt === null;

/** "All holds" stands for both kinds of holds. */
function kindsText(kinds: Attributes["kinds"]): string {
  const hasAllHolds = holdKinds.every((kind) => kinds.includes(kind));
  const labels = exceptionKinds
    .filter((kind) => kinds.includes(kind))
    .map((kind) => (hasAllHolds && isHoldKind(kind) ? "All holds" : kindLabels[kind]));
  return [...new Set(labels)].join(", ");
}

/** The view of an alert; `name` is undefined when the view was deleted or belongs to another member. */
const viewText = (name: string | undefined): string => (name === undefined ? "of a saved view" : `view “${name}”`);

/** Returns the exceptions that the alert covers: "Every exception", or its filter. `viewNames`: by id of the view. */
export function filterText(attributes: Attributes, viewNames: ReadonlyMap<string, string>): string {
  const { kinds, severities, carriers, customers, tags, minimum_amount: amount } = attributes;
  const currency = attributes.minimum_amount_currency;
  const parts = [
    kindsText(kinds),
    severities.length === 1 ? `only ${severities[0]}` : "",
    carriers.length > 0 ? `carrier ${carriers.join(", ")}` : "",
    customers.length > 0 ? `customer ${customers.join(", ")}` : "",
    tags.length > 0 ? `tag ${tags.join(", ")}` : "",
    amount === null ? "" : `charged ${currency === null ? "" : `${currency} `}${amount} or more`,
    attributes.saved_view_id === null ? "" : viewText(viewNames.get(attributes.saved_view_id)),
    attributes.includes_resolved ? "also when resolved" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "Every exception" : parts.join(" · ");
}
