import type { Instant } from "@svc/domain";
import { z } from "zod";
import { dateTime } from "../resource.ts";

const count = z.number().int();
const latency = count.nullable();

const metrics = {
  attempts: count,
  succeeded: count,
  failed: count,
  success_rate: z
    .number()
    .nullable()
    .describe("Share of attempts that succeeded, from 0 to 1. Null: no attempt has ended."),
  latency_p50_ms: latency.describe("Median time of an attempt until the response or the timeout."),
  latency_p95_ms: latency,
  latency_p99_ms: latency,
};

/** Success rate and latency of delivery attempts. Its id is the webhook's, or the account's for all webhooks. */
export const WebhookPerformanceResource = z
  .object({
    id: z.uuid(),
    type: z.literal("webhook_performance"),
    attributes: z.object({
      total: z.object(metrics).meta({ id: "WebhookPerformanceTotal" }),
      intervals: z
        .array(
          z
            .object({
              started_at: dateTime,
              ended_at: dateTime,
              ...metrics,
              is_capped: z.boolean().describe("Whether only a part of the notifications of the interval is counted."),
            })
            .meta({ id: "WebhookPerformanceInterval" }),
        )
        .describe("Attempts by the time of their start, the oldest first; the last interval is the current one."),
      last_attempt_at: dateTime
        .nullable()
        .describe("When the last attempt ended, to the minute, also if it is not counted. Null: there was none."),
    }),
  })
  .meta({ id: "WebhookPerformance" });

export type WebhookPerformanceResource = z.infer<typeof WebhookPerformanceResource>;

interface Metrics {
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface WebhookPerformance {
  readonly id: string;
  readonly total: Metrics;
  readonly intervals: readonly (Metrics & {
    readonly startedAt: Instant;
    readonly endedAt: Instant;
    readonly isCapped: boolean;
  })[];
  readonly lastAttemptAt: Instant | null;
}

const toWireMetrics = ({ attempts, succeeded, failed, p50Ms, p95Ms, p99Ms }: Metrics) => ({
  attempts,
  succeeded,
  failed,
  success_rate: succeeded + failed === 0 ? null : Math.floor((succeeded / (succeeded + failed)) * 10_000) / 10_000,
  latency_p50_ms: p50Ms,
  latency_p95_ms: p95Ms,
  latency_p99_ms: p99Ms,
});

export function webhookPerformanceResource({
  id,
  total,
  intervals,
  lastAttemptAt,
}: WebhookPerformance): WebhookPerformanceResource {
  return {
    id,
    type: "webhook_performance",
    attributes: {
      total: toWireMetrics(total),
      intervals: intervals.map(({ startedAt, endedAt, isCapped, ...figures }) => ({
        started_at: startedAt,
        ended_at: endedAt,
        ...toWireMetrics(figures),
        is_capped: isCapped,
      })),
      last_attempt_at: lastAttemptAt,
    },
  };
}
