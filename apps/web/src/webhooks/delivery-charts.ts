import { dayMs, instant } from "@svc/domain";
import type { WebhookPerformanceResource } from "@svc/sdk";
import { formatNumber, type Html, html, lineChart, metricsTable, shortTimeText, timeMarks } from "@svc/views";
import { fact } from "../pages/fact.ts";

const performancePeriods = ["day", "week"] as const;
export type PerformancePeriod = (typeof performancePeriods)[number];

const periodLabels: Readonly<Record<PerformancePeriod, string>> = { day: "Last 24 hours", week: "Last 7 days" };

/** `?period=`; a day by default. */
export const readPeriod = (text: string): PerformancePeriod => performancePeriods.find((one) => one === text) ?? "day";

type DeliveryMetrics = WebhookPerformanceResource["attributes"]["total"];
type Interval = WebhookPerformanceResource["attributes"]["intervals"][number];

const percent = (rate: number | null): string => (rate === null ? "–" : `${Math.floor(rate * 1_000) / 10} %`);

/** "840 ms", "12 s". */
function milliseconds(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

const percentiles = [
  ["p50", "latency_p50_ms"],
  ["p95", "latency_p95_ms"],
  ["p99", "latency_p99_ms"],
] as const;

function charts(intervals: readonly Interval[], total: DeliveryMetrics, period: string): Html {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (!first || !last) return html``;
  const [startMs, endMs] = [Date.parse(first.started_at), Date.parse(last.ended_at)];
  // Times of day need more room than days.
  const parts = endMs - startMs > 4 * dayMs ? 4 : 2;
  const ticks = Array.from({ length: parts + 1 }, (_, index) => startMs + ((endMs - startMs) * index) / parts);
  const labels = timeMarks(ticks, null);
  const latency = percentiles.map(([name, key]) => `${name} ${milliseconds(total[key])}`).join(", ");
  return html`
    <div class="pair">
      <div><h3>Success rate</h3>${lineChart({
        description: `Success rate, ${period}: ${percent(total.success_rate)}`,
        series: [
          {
            name: "Success rate",
            values: intervals.map(({ success_rate: rate }) => (rate === null ? null : rate * 100)),
          },
        ],
        labels,
        top: 100,
        format: (value) => `${value} %`,
      })}</div>
      <div><h3>Latency</h3>${lineChart({
        description: `Latency, ${period}: ${latency}`,
        series: percentiles.map(([name, key]) => ({ name, values: intervals.map((one) => one[key]) })),
        labels,
        format: milliseconds,
      })}</div>
    </div>`;
}

function table(intervals: readonly Interval[]): Html {
  const row = (one: Interval) => html`
    <tr><th scope="row" data-label="From">${shortTimeText(instant(one.started_at))}</th>
      <td data-label="Attempts">${one.attempts}</td><td data-label="Failed">${one.failed}</td>
      <td data-label="Success rate">${percent(one.success_rate)}</td>
      ${percentiles.map(([name, key]) => html`<td data-label="${name}">${milliseconds(one[key])}</td>`)}</tr>`;
  return html`
    <details id="performance-table"><summary>As a table</summary>
      ${metricsTable({
        caption: "Success rate and latency over time",
        columns: ["From", "Attempts", "Failed", "Success rate", ...percentiles.map(([name]) => name)],
        rows: intervals.filter(({ attempts }) => attempts > 0).map(row),
      })}
    </details>`;
}

/** Attempts may have taken place without being counted, because only a sample is. */
function noMetricsNote({ intervals, last_attempt_at: last }: WebhookPerformanceResource["attributes"]): Html {
  const start = intervals[0]?.started_at;
  const isInPeriod = last !== null && start !== undefined && instant(last) >= instant(start);
  const text = isInPeriod ? "None of the attempts in this period is counted." : "No delivery attempts in this period.";
  return html`<p class="muted">${text}${last !== null && html` Last attempt: ${shortTimeText(instant(last))}.`}</p>`;
}

/** Success rate and latency of delivery attempts over time. `path`: of the page, for the choice of the period. */
export function deliveryCharts(
  { attributes }: WebhookPerformanceResource,
  { path, period }: { readonly path: string; readonly period: PerformancePeriod },
): Html {
  const { total, intervals } = attributes;
  const link = (one: PerformancePeriod) =>
    html`<a href="${path}?period=${one}"${one === period && html` aria-current="true"`}>${periodLabels[one]}</a>`;
  const isCapped = intervals.some(({ is_capped }) => is_capped);
  return html`
    <section class="card" id="performance">
      <div class="title"><h2>Success rate and latency</h2>
        <nav class="chips" aria-label="Period">${performancePeriods.map(link)}</nav></div>
      ${
        total.attempts === 0
          ? noMetricsNote(attributes)
          : html`
            <dl class="figures">
              ${fact("Attempts", formatNumber(total.attempts))}${fact("Success rate", percent(total.success_rate))}
              ${percentiles.map(([name, key]) => fact(name, milliseconds(total[key])))}
            </dl>
            ${charts(intervals, total, periodLabels[period].toLowerCase())}
            ${isCapped && html`<p class="muted">Busy intervals are sampled.</p>`}
            ${table(intervals)}`
      }
    </section>`;
}
