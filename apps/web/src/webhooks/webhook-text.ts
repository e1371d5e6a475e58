import { addMs, hourMs, type Instant, instant } from "@svc/domain";
import type { WebhookResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { elapsedSince, exactTimestamp, relativeTimestamp } from "../pages/timestamps.ts";

export type WebhookAttributes = WebhookResource["attributes"];

/** The webhook in the path to a step with it. */
export const recordOf = ({ id, attributes }: WebhookResource) => ({
  label: attributes.url,
  path: `/developers/webhooks/${id}`,
});

/** When a failing webhook is disabled, as `mustDeactivate` of the domain has it: both must be reached. */
const disabledAfter = { failures: 20, hours: 72 } as const;

const reasons: Readonly<Record<string, string>> = {
  gone: "its endpoint answered 410 Gone",
  failing: `nothing was delivered for ${disabledAfter.hours} hours`,
};

/** The reason why the service stopped deliveries, as the end of a sentence. */
export const reasonText = (reason: string | null): string =>
  reasons[reason ?? ""] ?? "its endpoint failed again and again";

type Tone = "good" | "bad" | "calm";

/** The state as one word and its tone. */
function stateOf(webhook: WebhookAttributes): { readonly label: string; readonly tone: Tone } {
  if (!webhook.active && webhook.deactivated_at !== null) return { label: "Disabled automatically", tone: "bad" };
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

/** How long the webhook fails, or when and why it was disabled, to stand after its state; null when it is healthy. */
export function stateSince(webhook: WebhookAttributes): Html | null {
  const { deactivated_at: deactivatedAt, deactivated_reason: reason, failing_since: failingSince } = webhook;
  if (!isTroubled(webhook)) return null;
  if (deactivatedAt !== null) return html`${relativeTimestamp(deactivatedAt)}, because ${reasonText(reason)}`;
  return failingSince === null ? null : html`for ${elapsedSince(failingSince)}`;
}

function failingNote(since: Instant): Html {
  const { failures, hours } = disabledAfter;
  const earliest = exactTimestamp(addMs(since, hours * hourMs));
  return html`Failing since ${exactTimestamp(since)}. Notifications are retried. The webhook is disabled after ${failures} failed attempts in a row, but not before ${earliest}.`;
}

/** An explanation of the state with the action to take; null when the webhook is healthy. */
export function stateNote(webhook: WebhookAttributes): Html | null {
  const { label } = stateOf(webhook);
  const since = webhook.failing_since;
  switch (label) {
    case "Disabled automatically":
      return html`Disabled ${relativeTimestamp(webhook.deactivated_at)}, because ${reasonText(webhook.deactivated_reason)}. Enable the webhook to send pending notifications. Recover missed notifications to resend failed ones.`;
    case "Disabled":
      return html`Receives no events. Events that occur while it is disabled are not stored for it.`;
    case "Paused":
      return html`Notifications stay pending until you resume it.`;
    case "Failing":
      return since === null ? null : failingNote(instant(since));
    default:
      return null;
  }
}

/** The subscription to all tracking events, also future ones: not to demurrage, exceptions and other webhooks. */
export const allTrackingEvents = "All tracking events";

/** "All tracking events and 1 more", or the first event and the number of others. */
export function eventLabel(events: readonly string[]): string {
  const [first = "", ...rest] = events.toSorted((a, b) => Number(b === "*") - Number(a === "*"));
  const name = first === "*" ? allTrackingEvents : first;
  return rest.length === 0 ? name : `${name} and ${rest.length} more`;
}
