import { type DeliveryVerdict, deliveryVerdict } from "@svc/domain";
import { answeredStatus, type EgressPolicy, type Exchange, postOnce, type WebhookSigner } from "@svc/egress";
import { type DeliveryOutcome, type TakenDelivery, uuidV7 } from "@svc/persistence";
import type { Agent } from "undici";
import { deliveryRequest } from "./delivery-request.ts";

export interface AttemptTools {
  readonly agent: Agent;
  readonly policy: EgressPolicy;
  /** From 0 up to but not 1, for the jitter of retries. */
  readonly random: () => number;
}

function verdictOf(exchange: Exchange, delivery: TakenDelivery, random: number): DeliveryVerdict {
  const answer = { status: answeredStatus(exchange), retryAfter: exchange.headers?.["retry-after"] };
  return deliveryVerdict(answer, delivery.scheduleAttempt, random, delivery.startedAt);
}

/** An outcome without an exchange: nothing was sent. */
export function unsignedOutcome(delivery: TakenDelivery, random: number): DeliveryOutcome {
  return {
    ...delivery,
    attemptId: uuidV7.next(),
    durationMs: 0,
    verdict: deliveryVerdict({ status: null }, delivery.scheduleAttempt, random, delivery.startedAt),
    httpStatus: null,
    errorClass: "not_signed",
    errorDetail: "The service could not open the signing secret, so nothing was sent.",
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
  };
}

/** Sends one claimed delivery once and says what came of it. Never rejects. */
export async function attemptDelivery(
  delivery: TakenDelivery,
  tools: AttemptTools,
  sign: WebhookSigner,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { headers, body, loggedHeaders } = deliveryRequest(delivery, sign);
  const exchange = await postOnce(tools.agent, tools.policy, { url: delivery.url, headers, body, signal });
  const verdict = verdictOf(exchange, delivery, tools.random());
  const unwelcome = verdict.outcome === "succeeded" ? null : "http_status";
  return {
    ...delivery,
    attemptId: uuidV7.next(),
    durationMs: exchange.durationMs,
    verdict,
    httpStatus: exchange.status,
    errorClass: exchange.error?.fault ?? unwelcome,
    errorDetail: exchange.error?.message ?? null,
    requestHeaders: loggedHeaders,
    responseHeaders: exchange.headers,
    responseBody: exchange.body,
  };
}
