import type { AttemptVerdict } from "@svc/domain/webhooks";
import { uuidV7 } from "../../ids.ts";
import type { AttemptOutcome, DeliveryAttempt } from "../attempt.ts";

/** Returns the outcome of a request in flight, of 20 ms unless `changes` has another duration. */
export function outcomeOf(
  attempt: DeliveryAttempt,
  verdict: AttemptVerdict,
  changes: Partial<AttemptOutcome> = {},
): AttemptOutcome {
  const succeeded = verdict.kind === "succeeded";
  return {
    ...attempt,
    url: attempt.target.url,
    attemptId: uuidV7.next(),
    durationMs: 20,
    verdict,
    httpStatus: succeeded ? 204 : 500,
    errorClass: succeeded ? null : "http_status",
    errorDetail: null,
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
    ...changes,
  };
}
