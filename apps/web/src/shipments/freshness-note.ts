import type { Freshness } from "@svc/domain/tracking";
import { type Html, html, localTime } from "@svc/views";
import { noticeBox } from "../pages/notice-box.ts";
import type { ShownShipment } from "./api-records.ts";

const warnings: Readonly<Record<Exclude<Freshness, "fresh">, string>> = {
  late: "The carrier has not replied on schedule: the data may be out of date.",
  stale: "The carrier has not replied for more than a day past schedule: the data may be out of date.",
  silent: "The carrier replies, but has sent no updates for unusually long.",
};

/** The freshness of the data. `freshness` is null when it is not known or the carrier is no longer polled. */
export function freshnessNote(
  freshness: Freshness | null,
  { lineTrackingLastSucceededAt: answeredAt }: ShownShipment,
): Html | null {
  if (freshness === null || freshness === "fresh") {
    return freshness && answeredAt && html`<p class="muted">Last carrier update ${localTime(answeredAt, "UTC")}.</p>`;
  }
  const last = answeredAt && html` Last reply: ${localTime(answeredAt, "UTC")}.`;
  return noticeBox("warning", html`${warnings[freshness]}${last}`);
}
