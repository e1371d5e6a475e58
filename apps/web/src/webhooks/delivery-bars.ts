import type { WebhookStatisticsResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { notificationsAddress } from "../notifications/notification-filter.ts";

export const chartHours = 24;
const [barWidth, height] = [10, 24];

type Hour = WebhookStatisticsResource["attributes"]["hours"][number];

const sumOf = (hours: readonly Hour[], what: "delivered" | "failed" | "pending"): number =>
  hours.reduce((sum, hour) => sum + hour[what], 0);

const total = ({ delivered, failed, pending }: Hour): number => delivered + failed + pending;

/** One stacked bar per hour (delivered, pending, failed), scaled to the busiest hour. */
function bars(hours: readonly Hour[], label: string): Html {
  const max = Math.max(...hours.map(total));
  const bar = (hour: Hour, index: number): Html => {
    let top = height;
    const part = (name: "succeeded" | "pending" | "failed", count: number): Html | null => {
      if (count === 0) return null;
      const size = Math.max(1, Math.round((count / max) * height));
      top -= size;
      return html`<rect class="${name}" x="${index * barWidth}" y="${top}" width="${barWidth - 2}" height="${size}"/>`;
    };
    return html`${part("succeeded", hour.delivered)}${part("pending", hour.pending)}${part("failed", hour.failed)}`;
  };
  const [width, top] = [chartHours * barWidth, -2];
  return html`<svg class="hours" viewBox="0 ${top} ${width} ${height - top}" role="img" aria-label="${label}">${hours.map(bar)}</svg>`;
}

/** The share of deliveries that succeeded, rounded down so that "100 %" means all. */
const rate = (delivered: number, failed: number): string =>
  `${Math.floor((delivered / (delivered + failed)) * 100)} % delivered`;

/** Deliveries of a webhook in the last day as bars and in words. */
export function deliveryBars(webhookId: string, hours: readonly Hour[]): Html {
  const busy = hours.filter(({ is_capped: isCapped }) => isCapped);
  const [delivered, failed, waiting] = [sumOf(hours, "delivered"), sumOf(hours, "failed"), sumOf(hours, "pending")];
  if (delivered + failed + waiting === 0) return html`<span class="muted">No notifications</span>`;
  const link = (count: number, status: "failed" | "pending") =>
    count > 0 &&
    html`<a href="${notificationsAddress({ webhookId, status, event: null, since: "day" })}">${count} ${status}</a>`;
  const parts = [delivered + failed > 0 && rate(delivered, failed), link(failed, "failed"), link(waiting, "pending")];
  const visibleParts = parts.filter((part) => part !== false);
  const picture = `Each hour of the last ${chartHours}: ${delivered} delivered, ${waiting} pending, ${failed} failed`;
  return html`${bars(hours, picture)}
    <span class="below">${visibleParts.map((part, index) => html`${index > 0 && ", "}${part}`)}</span>
    ${busy[0] && html`<span class="muted below">of the newest ${total(busy[0])} of each hour</span>`}`;
}
