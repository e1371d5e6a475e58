import { failingStatusLabels } from "@svc/domain/carrier-connections";
import type { CarrierConnectionResource } from "@svc/sdk";
import { formatNumber, type Html, html } from "@svc/views";
import { relativeTimestamp } from "../pages/timestamps.ts";
import type { CarrierRecord } from "./carrier-records.ts";

type Attributes = CarrierConnectionResource["attributes"];

const labels = {
  connected: ["good", "Connected"],
  untested: ["soon", "Not tested"],
  rejected: ["bad", failingStatusLabels.rejected],
  failing: ["bad", failingStatusLabels.failing],
  not_offered: ["bad", failingStatusLabels.not_offered],
  inactive: ["calm", "Disabled"],
} as const satisfies Record<Attributes["status"], readonly [string, string]>;

/** Whether credentials of the account are not tested yet, or requests with them fail. */
export const needsAction = ({ connection }: CarrierRecord): boolean =>
  connection !== null && ["soon", "bad"].includes(labels[connection.attributes.status][0]);

export function connectionBadge({ connection, isServiceConnected }: CarrierRecord): Html {
  if (connection !== null) {
    const [tone, label] = labels[connection.attributes.status];
    return html`<span class="state ${tone}">${label}</span>`;
  }
  return isServiceConnected
    ? html`<span class="state good">Connected</span><span class="below muted">by the operator</span>`
    : html`<span class="state calm">Not connected</span>`;
}

/** "last success 3 hours ago", or since when there has been none. `now`: the tracking clock, in epoch milliseconds. */
export function connectionHealth(attributes: Attributes, now: number): Html {
  const { last_succeeded_at: succeededAt, last_failed_at: failedAt, status } = attributes;
  if (succeededAt === null && failedAt === null) return html`<span class="muted">No request yet</span>`;
  const isFailing = status === "rejected" || status === "failing";
  if (!isFailing) return html`Last success ${relativeTimestamp(succeededAt, now)}`;
  const since =
    succeededAt === null
      ? html`Never succeeded`
      : html`Failing since the last success ${relativeTimestamp(succeededAt, now)}`;
  return html`<span class="late">${since}</span><span class="below muted">last failure ${relativeTimestamp(failedAt, now)}</span>`;
}

/** "12 of 6,000". */
export function budgetUsed({ entry, connection }: CarrierRecord): string {
  const used = connection?.attributes.requests_today ?? 0;
  const limit = entry?.daily_limit ?? null;
  return limit === null ? formatNumber(used) : `${formatNumber(used)} of ${formatNumber(limit)}`;
}
