import type { Instant } from "@svc/domain";
import { z } from "zod";
import { dateTime } from "../resource.ts";

const count = z.number().int();

/** Delivery results of a webhook in the last hours. Its id is the webhook's. */
export const WebhookStatisticsResource = z
  .object({
    id: z.uuid(),
    type: z.literal("webhook_statistics"),
    attributes: z.object({
      hours: z
        .array(
          z
            .object({
              started_at: dateTime,
              delivered: count,
              failed: count,
              pending: count,
              is_capped: z.boolean().describe("Whether only the newest notifications of the hour are counted."),
            })
            .meta({ id: "WebhookStatisticsHour" }),
        )
        .describe(
          "Counts by the hour in which the notification was created, the oldest first; the last hour is the current one.",
        ),
      last_failure: z
        .object({
          failed_at: dateTime,
          status_code: count.nullable().describe("HTTP status of the response. Null: no response was received."),
          error_class: z.string().nullable(),
        })
        .meta({ id: "WebhookLastFailure" })
        .nullable()
        .describe("The last failed attempt; null: none failed."),
    }),
  })
  .meta({ id: "WebhookStatistics" });

export type WebhookStatisticsResource = z.infer<typeof WebhookStatisticsResource>;

export interface WebhookStatistics {
  /** The webhook's. */
  readonly id: string;
  readonly hours: readonly {
    readonly startedAt: Instant;
    readonly delivered: number;
    readonly failed: number;
    readonly pending: number;
    readonly isCapped: boolean;
  }[];
  readonly lastFailure: {
    readonly at: Instant;
    readonly httpStatus: number | null;
    readonly errorClass: string | null;
  } | null;
}

export function webhookStatisticsResource({ id, hours, lastFailure }: WebhookStatistics): WebhookStatisticsResource {
  return {
    id,
    type: "webhook_statistics",
    attributes: {
      hours: hours.map(({ startedAt, delivered, failed, pending, isCapped }) => ({
        started_at: startedAt,
        delivered,
        failed,
        pending,
        is_capped: isCapped,
      })),
      last_failure: lastFailure && {
        failed_at: lastFailure.at,
        status_code: lastFailure.httpStatus,
        error_class: lastFailure.errorClass,
      },
    },
  };
}
