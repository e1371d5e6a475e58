import { type Instant, msBetween } from "@svc/domain";
import { manifestPollInterval, trackingRetryDelay } from "@svc/domain/tracking";
import type { WebhookEventName } from "@svc/domain/webhooks";
import type { LiveRequest, RequestChange } from "@svc/persistence/tracking";

/** The outcome of a poll for a request that waits for its shipment. */
export type RequestOutcome =
  | { readonly kind: "found"; readonly shipmentId: string }
  /** The carrier does not know the number, in so many consecutive polls. */
  | { readonly kind: "unknown"; readonly times: number }
  /** The carrier knows the number, and reports no event of a container yet. */
  | { readonly kind: "without_containers"; readonly times: number }
  /** The request fails permanently: the carrier rejects the number, or the booking is cancelled. */
  | { readonly kind: "refused"; readonly reason: "invalid_number" | "booking_cancelled" }
  /** No usable reply. */
  | { readonly kind: "no_reply"; readonly reason: TemporaryReason };

/** `data_unavailable`: the carrier rejects the credentials, or does not authorize them for the number. */
export type TemporaryReason =
  | "shipping_line_unreachable"
  | "unrecognized_response"
  | "internal_processing_error"
  | "data_unavailable";

export interface RequestRules {
  /** Failed polls after which a pending request fails. */
  readonly retryLimit: number;
  /** How long a request awaits its manifest. */
  readonly manifestMs: number;
}

export interface RequestDecision {
  /** Null: the request stays as it is. */
  readonly change: RequestChange | null;
  readonly event: WebhookEventName | null;
  /** Null: the request is settled. */
  readonly nextPollInMs: number | null;
}

/** The next transition of a request (docs/contract/reference.md 4; docs/contract/decisions.md 4, Request lifecycle). */
export function decideRequest(
  request: LiveRequest,
  outcome: RequestOutcome,
  now: Instant,
  rules: RequestRules,
): RequestDecision {
  switch (outcome.kind) {
    case "found":
      return settled(request, { status: "created", failedReason: null, shipmentId: outcome.shipmentId });
    case "refused":
      return settled(request, { status: "failed", failedReason: outcome.reason });
    case "without_containers":
      return awaitManifest(request, outcome.times, now, rules);
    case "unknown":
      // One that awaits its manifest was known before.
      return request.requestType === "container" && request.awaitingManifestSince === null
        ? settled(request, { status: "failed", failedReason: "not_found" })
        : awaitManifest(request, outcome.times, now, rules);
    case "no_reply":
      return retry(request, outcome.reason, now, rules);
  }
}

type Outcome = Partial<Omit<RequestChange, "id">>;

function changed(request: LiveRequest, outcome: Outcome): RequestChange {
  const { id, status, failedReason, isRetrying, retryCount, awaitingManifestSince, shipmentId } = request;
  return { id, status, failedReason, isRetrying, retryCount, awaitingManifestSince, shipmentId, ...outcome };
}

function settled(request: LiveRequest, outcome: Outcome & { status: "created" | "failed" }): RequestDecision {
  const event = outcome.status === "created" ? "tracking_request.succeeded" : "tracking_request.failed";
  return { change: changed(request, { ...outcome, isRetrying: false }), event, nextPollInMs: null };
}

/** Notified the first time only. The last poll takes place when the waiting period ends. */
function awaitManifest(
  request: LiveRequest,
  times: number,
  now: Instant,
  { manifestMs }: RequestRules,
): RequestDecision {
  const since = request.awaitingManifestSince ?? now;
  const waitedMs = msBetween(since, now);
  if (waitedMs >= manifestMs) return settled(request, { status: "failed", failedReason: "expired" });
  const isAwaiting = request.status === "awaiting_manifest" && !request.isRetrying;
  const outcome = { failedReason: null, isRetrying: false, retryCount: 0, awaitingManifestSince: since };
  return {
    change: isAwaiting ? null : changed(request, { status: "awaiting_manifest", ...outcome }),
    event: request.awaitingManifestSince === null ? "tracking_request.awaiting_manifest" : null,
    nextPollInMs: Math.min(manifestPollInterval(times), manifestMs - waitedMs),
  };
}

/**
 * A pending request fails at the retry limit. One that awaits its manifest has no limit, and expires also during an
 * outage.
 */
function retry(request: LiveRequest, reason: TemporaryReason, now: Instant, rules: RequestRules): RequestDecision {
  const retryCount = request.retryCount + 1;
  const since = request.awaitingManifestSince;
  if (since !== null && msBetween(since, now) >= rules.manifestMs) {
    return settled(request, { status: "failed", failedReason: "expired", retryCount });
  }
  const delayMs = trackingRetryDelay(retryCount, since === null ? rules.retryLimit : Number.POSITIVE_INFINITY);
  const failedReason = reason === "data_unavailable" ? reason : "retries_exhausted";
  if (delayMs === null) return settled(request, { status: "failed", failedReason, retryCount });
  return {
    change: changed(request, { failedReason: reason, isRetrying: true, retryCount }),
    event: null,
    nextPollInMs: delayMs,
  };
}
