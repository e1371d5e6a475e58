import { webhookEventNames } from "@svc/domain/webhooks";
import { z } from "zod";
import { text } from "../documents/text.ts";

/**
 * docs/contract/specification.md, Trigger a webhook: not a JSON:API document. The secret is not normalized, because it
 * is used unchanged.
 */
export const triggerBody = z.strictObject({
  url: text(2_000).describe("HTTPS URL that receives the sample."),
  event: z.enum(webhookEventNames).describe("Name of the event (GET /webhooks/events)."),
  secret: z
    .string()
    .min(1)
    .max(500)
    // A lone surrogate has no UTF-8 encoding, so the receiver could not compute the same signature.
    .refine((secret) => secret.isWellFormed(), "must be well-formed Unicode (it has a lone surrogate)")
    .optional()
    .describe("Secret for the signatures of the sample."),
});

/** docs/contract/reference.md 1.7. */
export const TriggerResult = z
  .object({
    url: z.string(),
    succeeded: z.boolean().describe("Whether the response was 200, 201, 202 or 204 within the timeout."),
    error: z.string().nullable().describe("Reason for the failure of the delivery."),
    status_code: z.number().int().nullable().describe("HTTP status of the response. Null: no response was received."),
    request_headers: z.record(z.string(), z.string()),
    request_body: z.string(),
    response_headers: z.record(z.string(), z.string()),
    response_body: z.string().nullable().describe("First 4 KiB of the body; null: no response was received."),
  })
  .meta({ id: "TriggerResult" });

/** One sample request and its response. */
export interface SentSample {
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  /** Null when the delivery succeeded. */
  readonly error: string | null;
  /** Null when no response was received. */
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
}

export function triggerResult(sample: SentSample): z.infer<typeof TriggerResult> {
  return {
    url: sample.url,
    succeeded: sample.error === null,
    error: sample.error,
    status_code: sample.status,
    request_headers: sample.requestHeaders,
    request_body: sample.requestBody,
    response_headers: { ...sample.responseHeaders },
    response_body: sample.responseBody,
  };
}
