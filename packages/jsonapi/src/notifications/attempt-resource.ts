import type { Instant } from "@svc/domain";
import { z } from "zod";
import { dateTime } from "../resource.ts";

/** docs/contract/decisions.md 3, Notification attempts. Read with its notification, so it has no URL. */
export const AttemptResource = z
  .object({
    id: z.uuid(),
    type: z.literal("webhook_notification_attempt"),
    attributes: z.object({
      attempt_number: z.number().int(),
      started_at: dateTime,
      duration_ms: z.number().int().nullable(),
      outcome: z
        .enum(["succeeded", "failed", "unknown"])
        .describe("unknown: the worker stopped before it received the response."),
      status_code: z.number().int().nullable().describe("Null when no response was received."),
      error_class: z.string().nullable(),
      error_detail: z.string().nullable(),
      url: z.string(),
      request_headers: z.record(z.string(), z.string()),
      response_headers: z.record(z.string(), z.string()).nullable(),
      response_body: z.string().nullable().describe("The first 4 KiB."),
      next_attempt_at: dateTime.nullable(),
    }),
  })
  .meta({ id: "WebhookNotificationAttempt" });

export type AttemptResource = z.infer<typeof AttemptResource>;

export interface Attempt {
  readonly id: string;
  readonly attemptNumber: number;
  readonly startedAt: Instant;
  readonly durationMs: number | null;
  readonly outcome: "succeeded" | "failed" | "unknown";
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly errorDetail: string | null;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly nextAttemptAt: Instant | null;
}

export function attemptResource(attempt: Attempt): AttemptResource {
  return {
    id: attempt.id,
    type: "webhook_notification_attempt",
    attributes: {
      attempt_number: attempt.attemptNumber,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      outcome: attempt.outcome,
      status_code: attempt.httpStatus,
      error_class: attempt.errorClass,
      error_detail: attempt.errorDetail,
      url: attempt.url,
      request_headers: attempt.requestHeaders,
      response_headers: attempt.responseHeaders,
      response_body: attempt.responseBody,
      next_attempt_at: attempt.nextAttemptAt,
    },
  };
}
