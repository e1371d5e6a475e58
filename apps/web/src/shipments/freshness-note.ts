import type { Instant } from "@svc/domain";
import { isAtPort } from "@svc/domain/shipments";
import type { Freshness } from "@svc/domain/tracking";
import { type Html, html, localTime } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { isPickedUp } from "./last-free-day.ts";

const warnings: Readonly<Record<Exclude<Freshness, "fresh">, string>> = {
  late: "The carrier has not replied on schedule: the data may be out of date.",
  stale: "The carrier has not replied for more than a day past schedule: the data may be out of date.",
  silent: "The carrier replies, but has sent no updates for unusually long.",
};

export interface CarrierReplies {
  /** Null when it is not known or the carrier is no longer polled. */
  readonly freshness: Freshness | null;
  /** When a reply of the carrier last said something new. */
  readonly changedAt: Instant | null;
  readonly answeredAt: Instant | null;
  /** When the terminal at which the container waits was last polled. Null or missing: at none. */
  readonly terminalCheckedAt?: Instant | null;
}

/** `replies` with the poll of the terminal, of a container that waits there. */
export const withTerminal = (
  replies: CarrierReplies,
  container: ContainerRecord | undefined,
  shipment: ShipmentRecord,
): CarrierReplies =>
  container && isAtPort(container, shipment) && !isPickedUp(container)
    ? { ...replies, terminalCheckedAt: container.terminalCheckedAt }
    : replies;

/** "Carrier updated 3 hours ago · checked 5 minutes ago", or "· terminal checked 5 minutes ago" where it waits. */
function lastReport({ changedAt, answeredAt, terminalCheckedAt = null }: CarrierReplies, now: Instant): Html | null {
  const age = (at: Instant) => relativeTimestamp(at, Date.parse(now));
  const changed = changedAt && html`Carrier updated <strong>${age(changedAt)}</strong>`;
  if (changed && terminalCheckedAt) return html`${changed} · terminal checked ${age(terminalCheckedAt)}`;
  const lastPoll = answeredAt && html`${changed ? " · checked" : "Checked"} ${age(answeredAt)}`;
  return changed || lastPoll ? html`${changed}${lastPoll}` : null;
}

/** When the carrier last reported something new and was last polled. `now`: on the clock of the tracked shipment. */
export function lastReportNote(replies: CarrierReplies, now: Instant): Html | null {
  const text = replies.freshness && lastReport(replies, now);
  return text && html`<p class="muted">${text}</p>`;
}

/** As `lastReportNote`, or a warning that the carrier sends no updates. */
export function freshnessNote(replies: CarrierReplies, now: Instant): Html | null {
  const { freshness, answeredAt } = replies;
  if (freshness === null || freshness === "fresh") return lastReportNote(replies, now);
  const last = answeredAt && html`Last reply: ${localTime(answeredAt, "UTC")}.`;
  return noticeBanner(
    "warning",
    html`${warnings[freshness]} ${freshness === "silent" ? html`${lastReport(replies, now)}.` : last}`,
  );
}
