import type { Freshness, Shipment } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { localTime } from "./local-time.ts";

const warnings: Readonly<Record<Exclude<Freshness, "fresh">, string>> = {
  late: "The line's answer is overdue: what you see may be old.",
  stale: "The line has not answered for more than a day longer than it should: what you see may be old.",
  silent: "The line answers, but has told nothing new for longer than such a voyage is ever quiet.",
};

/** How far what is shown can be relied on; null: not known, or nobody asks any more. */
export function freshnessNote(
  freshness: Freshness | null,
  { lineTrackingLastSucceededAt: answeredAt }: Shipment,
): Html | null {
  if (freshness === null || freshness === "fresh") {
    return (
      freshness &&
      answeredAt &&
      html`<p class="muted">Up to date: the line answered ${localTime(answeredAt, "UTC")}.</p>`
    );
  }
  const last = answeredAt && html` Its last answer: ${localTime(answeredAt, "UTC")}.`;
  return html`<p class="notice" role="status">${warnings[freshness]}${last}</p>`;
}
