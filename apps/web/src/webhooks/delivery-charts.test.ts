import { expect, test } from "@jest/globals";
import type { WebhookPerformanceResource } from "@svc/sdk";
import { deliveryCharts, readPeriod } from "./delivery-charts.ts";

type Attributes = WebhookPerformanceResource["attributes"];

const counts = {
  attempts: 4,
  succeeded: 3,
  failed: 1,
  success_rate: 0.75,
  latency_p50_ms: 120,
  latency_p95_ms: 900,
  latency_p99_ms: 1_500,
};
const none = {
  attempts: 0,
  succeeded: 0,
  failed: 0,
  success_rate: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  latency_p99_ms: null,
};
const interval = (hour: number, attempts: typeof counts | typeof none) => ({
  started_at: new Date(Date.UTC(2026, 10, 21, hour)).toISOString(),
  ended_at: new Date(Date.UTC(2026, 10, 21, hour + 1)).toISOString(),
  ...attempts,
  is_capped: false,
});
const render = (attributes: Attributes) =>
  String(
    deliveryCharts(
      { id: "w", type: "webhook_performance", attributes },
      {
        path: "/developers",
        period: "week",
      },
    ),
  );

test("shows success rate and percentiles as charts, figures and a table", () => {
  const markup = render({
    total: counts,
    intervals: [interval(0, counts), interval(1, none), interval(2, counts)],
    last_attempt_at: "2026-11-21T02:59:00.000Z",
  });
  expect(markup).toContain('aria-label="Success rate, last 7 days: 75 %"');
  expect(markup).toContain('aria-label="Latency, last 7 days: p50 120 ms, p95 900 ms, p99 1.5 s"');
  expect(markup.match(/<th scope="row"/g)).toHaveLength(2);
  expect(markup).toContain('href="/developers?period=day"');
  expect(markup).not.toMatch(/NaN|null/);
});

test("without an attempt there is no chart", () => {
  const lastAt = (last_attempt_at: string | null) =>
    render({ total: none, intervals: [interval(0, none)], last_attempt_at });
  expect(lastAt(null)).toContain("No delivery attempts in this period.</p>");
  expect(lastAt(null)).not.toContain("<svg");
  expect(lastAt("2026-11-20T23:59:00.000Z")).toContain("No delivery attempts in this period. Last attempt: ");
  const notCounted = lastAt("2026-11-21T00:30:00.000Z");
  expect(notCounted).toContain("None of the attempts in this period is counted. Last attempt: ");
});

test("an unknown period is a day", () => {
  expect(["week", "day", "", "year"].map(readPeriod)).toEqual(["week", "day", "day", "day"]);
});
