import type { WebhookResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { relativeTimestamp } from "../pages/timestamps.ts";

export type WebhookAttributes = WebhookResource["attributes"];

const reasons: Readonly<Record<string, string>> = {
  gone: "its endpoint answered 410 Gone",
  failing: "nothing was received for 72 hours",
};

/** The reason why the service stopped deliveries, as the end of a sentence. */
export const reasonText = (reason: string | null): string =>
  reasons[reason ?? ""] ?? "its endpoint failed again and again";

type Tone = "good" | "bad" | "calm";

/** The state as one word and its tone. */
function stateOf(webhook: WebhookAttributes): { readonly label: string; readonly tone: Tone } {
  if (!webhook.active && webhook.deactivated_at !== null) return { label: "Deactivated", tone: "bad" };
  if (!webhook.active) return { label: "Disabled", tone: "calm" };
  if (webhook.paused) return { label: "Paused", tone: "calm" };
  if (webhook.failing_since !== null) return { label: "Failing", tone: "bad" };
  return { label: "Active", tone: "good" };
}

export function stateBadge(webhook: WebhookAttributes): Html {
  const { label, tone } = stateOf(webhook);
  return html`<span class="state ${tone}">${label}</span>`;
}

/** Whether deliveries fail or were stopped because they failed. */
export const isTroubled = (webhook: WebhookAttributes): boolean => stateOf(webhook).tone === "bad";

/** Since when the webhook needs attention, for a list; null when it does not. */
export function stateSince(webhook: WebhookAttributes): Html | null {
  if (!isTroubled(webhook)) return null;
  const reason = webhook.deactivated_at !== null && html`, because ${reasonText(webhook.deactivated_reason)}`;
  return html`${relativeTimestamp(webhook.deactivated_at ?? webhook.failing_since)}${reason}`;
}

/** An explanation of the state with the action to take; null when the webhook is healthy. */
export function stateNote(webhook: WebhookAttributes): Html | null {
  const { label } = stateOf(webhook);
  switch (label) {
    case "Deactivated":
      return html`Deliveries were stopped ${relativeTimestamp(webhook.deactivated_at)}, because ${reasonText(webhook.deactivated_reason)}. Reactivate the webhook to send pending notifications. Recover it to resend failed ones.`;
    case "Disabled":
      return html`Receives no events. Events that occur while it is disabled are not stored for it.`;
    case "Paused":
      return html`Notifications stay pending until you resume it.`;
    case "Failing":
      return html`All attempts since the last success have failed, the first of them ${relativeTimestamp(webhook.failing_since)}. Notifications are retried. After 72 hours without a success the webhook is deactivated.`;
    default:
      return null;
  }
}

/** "everything", or the count of events and the first of them. */
export function eventLabel(events: readonly string[]): string {
  if (events.includes("*")) return events.length === 1 ? "everything" : `everything and ${events.length - 1} more`;
  const [first = "", ...rest] = events;
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}
