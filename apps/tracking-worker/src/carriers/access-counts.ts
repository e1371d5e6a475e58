import type { PolledReply } from "@svc/carriers";
import type { Instant } from "@svc/domain";
import type { AccessOutcome, ConnectionError } from "@svc/domain/carrier-connections";
import type { AccessCounts } from "@svc/persistence/carrier-connections";

const kinds: Readonly<Record<PolledReply["outcome"], AccessOutcome["kind"]>> = {
  found: "answered",
  unchanged: "answered",
  not_found: "answered",
  rejected: "answered",
  unauthorized: "rejected",
  rate_limited: "throttled",
  unreachable: "unreachable",
  unrecognized: "failed",
};

const errors: Readonly<Partial<Record<PolledReply["outcome"], ConnectionError>>> = {
  unauthorized: "rejected",
  rate_limited: "throttled",
  unreachable: "unreachable",
  unrecognized: "unrecognized",
};

/**
 * Whether it is no outcome of the carrier's API of events: arrival notices may need another plan or server, and
 * without a request there was no reply.
 */
export const isNotAttributable = (reply: PolledReply): boolean => "isOfArrivalNotices" in reply || reply.requests === 0;

/** The outcome of a reply for the credential that was used. */
export function accessOutcomeOf(reply: PolledReply): AccessOutcome {
  return {
    kind: isNotAttributable(reply) ? "not_attributable" : kinds[reply.outcome],
    extraRequests: Math.max((reply.requests ?? 1) - 1, 0),
    retryAfterMs: reply.outcome === "rate_limited" ? reply.retryAfterMs : null,
  };
}

export const noCounts: AccessCounts = {
  answers: 0,
  failures: 0,
  rejections: 0,
  throttles: 0,
  unrecognized: 0,
  skippedEvents: 0,
  lastSuccessAt: null,
  lastErrorAt: null,
  lastError: null,
};

export function countReply(counts: AccessCounts, reply: PolledReply, now: Instant): AccessCounts {
  const skippedEvents = counts.skippedEvents + (reply.outcome === "found" ? reply.skipped : 0);
  if (isNotAttributable(reply)) return { ...counts, skippedEvents };
  const kind = kinds[reply.outcome];
  const lastError = errors[reply.outcome];
  return {
    answers: counts.answers + Number(kind === "answered"),
    failures: counts.failures + Number(kind === "unreachable" || kind === "failed"),
    rejections: counts.rejections + Number(kind === "rejected"),
    throttles: counts.throttles + Number(kind === "throttled"),
    unrecognized: counts.unrecognized + Number(reply.outcome === "unrecognized"),
    skippedEvents,
    lastSuccessAt: kind === "answered" ? now : counts.lastSuccessAt,
    lastErrorAt: lastError === undefined ? counts.lastErrorAt : now,
    lastError: lastError ?? counts.lastError,
  };
}
