import { z } from "zod";
import type { RecordOf } from "../records/field-table.ts";

const headers = z.record(z.string(), z.string());

export const attemptFields = {
  id: z.uuid(),
  attemptNumber: z.number().int(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().int().nullable(),
  outcome: z
    .enum(["succeeded", "failed", "unknown"])
    .describe("unknown: the worker stopped before it received the response."),
  httpStatus: z.number().int().nullable().describe("HTTP status of the response. Null: no response was received."),
  errorClass: z.string().nullable(),
  errorDetail: z.string().nullable(),
  url: z.string(),
  requestHeaders: headers,
  responseHeaders: headers.nullable(),
  responseBody: z.string().nullable().describe("First 4 KiB of the body. Null: no response was received."),
  nextAttemptAt: z.iso.datetime().nullable(),
};

/** One logged request to a subscriber. */
export interface Attempt extends RecordOf<typeof attemptFields> {}
