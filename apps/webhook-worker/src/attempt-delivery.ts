import { type AttemptVerdict, evaluateAttempt } from "@svc/domain/webhooks";
import { type EgressAgent, type EgressPolicy, type Exchange, postOnce, responseStatus } from "@svc/egress";
import { uuidV7 } from "@svc/persistence";
import type { AttemptOutcome, DeliveryAttempt } from "@svc/persistence/delivery";
import type { Span, Tracer } from "@svc/service-kit";
import type { PrepareRequest } from "./delivery-request.ts";

export interface AttemptTools {
  readonly agent: EgressAgent;
  readonly policy: EgressPolicy;
  /** Returns a number of at least 0 and below 1, for the jitter of retries. */
  readonly random: () => number;
  readonly tracer: Tracer;
}

/**
 * Spans for the time from the commit to the first attempt and for the attempt, in the trace of the cause of the
 * notification.
 */
function startAttemptSpan(tracer: Tracer, delivery: DeliveryAttempt): Span {
  const { traceparent, attemptNumber, createdAt, startedAt } = delivery;
  if (attemptNumber > 1) return tracer.startSpan(traceparent, "client");
  const relayed = tracer.startSpan(traceparent, "internal", Date.parse(createdAt));
  relayed.end("webhook.relay", { atMs: Date.parse(startedAt) });
  return tracer.startSpan(relayed.traceparent, "client");
}

function verdictOf(exchange: Exchange, delivery: DeliveryAttempt, random: number): AttemptVerdict {
  const response = { status: responseStatus(exchange), retryAfter: exchange.headers?.["retry-after"] };
  return evaluateAttempt(response, delivery.scheduleAttempt, random, delivery.startedAt);
}

function attemptFields(delivery: DeliveryAttempt) {
  const { accountId, notificationId, webhookId, claimId, attemptNumber, startedAt, target, endpointClass, claimSize } =
    delivery;
  const attemptId = uuidV7.next();
  return {
    accountId,
    notificationId,
    webhookId,
    claimId,
    attemptId,
    attemptNumber,
    startedAt,
    url: target.url,
    endpointClass,
    claimSize,
  };
}

/** An outcome without an exchange: nothing was sent. */
export function unsignedOutcome(delivery: DeliveryAttempt, random: number): AttemptOutcome {
  return {
    ...attemptFields(delivery),
    durationMs: 0,
    verdict: evaluateAttempt({ status: null }, delivery.scheduleAttempt, random, delivery.startedAt),
    httpStatus: null,
    errorClass: "not_signed",
    errorDetail: "The service could not open the signing secret or the headers, so nothing was sent.",
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
  };
}

/** Sends the request of one delivery in flight. Never rejects. */
export async function attemptDelivery(
  delivery: DeliveryAttempt,
  tools: AttemptTools,
  prepare: PrepareRequest,
): Promise<AttemptOutcome> {
  const span = startAttemptSpan(tools.tracer, delivery);
  const { headers, body, loggedHeaders } = prepare(delivery, span.traceparent);
  const request = { url: delivery.target.url, headers, body };
  const exchange = await span.run(() => postOnce(tools.agent, tools.policy, request));
  const verdict = verdictOf(exchange, delivery, tools.random());
  const failed = verdict.kind !== "succeeded";
  const statusClass = failed ? "http_status" : null;
  span.end("webhook.deliver", {
    failed,
    attributes: {
      "svc.account_id": delivery.accountId,
      "svc.webhook_id": delivery.webhookId,
      "svc.notification_id": delivery.notificationId,
      "svc.event": delivery.event,
      "svc.attempt": delivery.attemptNumber,
      "http.response.status_code": exchange.status,
      "error.type": exchange.error?.fault,
    },
  });
  return {
    ...attemptFields(delivery),
    durationMs: exchange.durationMs,
    verdict,
    httpStatus: exchange.status,
    errorClass: exchange.error?.fault ?? statusClass,
    errorDetail: exchange.error?.message ?? null,
    requestHeaders: loggedHeaders,
    responseHeaders: exchange.headers,
    responseBody: exchange.body,
  };
}
