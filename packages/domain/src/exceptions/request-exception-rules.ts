import { addMs, dayMs, type Instant } from "../instant.ts";
import type { FailedReason, TrackingRequestStatus } from "../tracking-requests/tracking-request.ts";
import { exceptionThresholds as thresholds } from "./exception-thresholds.ts";
import { type EvaluatedExceptions, Findings } from "./findings.ts";

export interface RequestExceptionFacts {
  readonly status: TrackingRequestStatus;
  readonly failedReason: FailedReason | null;
  readonly awaitingManifestSince: Instant | null;
  readonly createdAt: Instant;
  /** SCAC of the carrier; null: not detected yet. */
  readonly scac: string | null;
  /** It is not queried, because the carrier is not connected. */
  readonly waitsForConnection: boolean;
  /** A later request of the same number takes its place. */
  readonly isReplaced: boolean;
}

/** A later request of the same number makes only checks due that are scheduled. */
const failedCheckMs = 30 * dayMs;

/** The exceptions of a tracking request. */
export function evaluateRequest(facts: RequestExceptionFacts, now: Instant): EvaluatedExceptions {
  const findings = new Findings(now);
  const { status, failedReason, isReplaced } = facts;
  // The number of a duplicate is tracked by another request.
  if (status === "failed" && failedReason !== "duplicate" && !isReplaced) {
    findings.add("tracking_request_failed", "critical", { failedReason }, null);
    findings.changesAt(addMs(now, failedCheckMs));
  }
  if (status === "pending" || status === "awaiting_manifest") {
    const isAwaiting = status === "awaiting_manifest";
    const days = findings.daysSince((isAwaiting ? facts.awaitingManifestSince : null) ?? facts.createdAt);
    if (days >= (isAwaiting ? thresholds.awaitingManifestDays : thresholds.pendingRequestDays)) {
      const unconnected = facts.waitsForConnection ? { unconnectedCarrier: facts.scac } : {};
      findings.add("tracking_request_waiting", "warning", { days, requestStatus: status, ...unconnected }, null);
    }
  }
  return findings.result();
}
