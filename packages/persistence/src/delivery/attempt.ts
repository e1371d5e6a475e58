import type { Instant } from "@svc/domain";
import type { ReferenceType } from "@svc/domain/notifications";
import type { AttemptVerdict, WebhookEventName } from "@svc/domain/webhooks";
import type { StoredHeaders } from "../webhooks/sealed-headers.ts";

/** The endpoint of a claim's deliveries, with its secrets and headers. */
export interface DeliveryTarget extends StoredHeaders {
  readonly url: string;
  readonly sealedSecret: Uint8Array;
  /** Previous secrets that still sign after a rotation, latest first. */
  readonly previousSealedSecrets: readonly Uint8Array[];
}

/** "failing" until a success has been settled, also after the webhook was enabled again. */
export type EndpointClass = "healthy" | "slow" | "failing";

/** A delivery in flight: its request may be sent now. */
export interface DeliveryAttempt {
  readonly accountId: string;
  readonly notificationId: string;
  readonly webhookId: string;
  readonly claimId: string;
  /** Number of the attempt, from 1. */
  readonly attemptNumber: number;
  /** Number of the attempt in the current retry schedule, from 1; a resend starts a new schedule. */
  readonly scheduleAttempt: number;
  /** Start by the database's clock. */
  readonly startedAt: Instant;
  readonly event: WebhookEventName;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  readonly included: string;
  /** W3C trace context of the cause. */
  readonly traceparent: string | null;
  readonly createdAt: Instant;
  readonly target: DeliveryTarget;
  /** When the attempt started. */
  readonly endpointClass: EndpointClass;
  /** Number of deliveries that are started with the claim. */
  readonly claimSize: number;
}

/** The outcome of one attempt. */
export interface AttemptOutcome {
  readonly accountId: string;
  readonly notificationId: string;
  readonly webhookId: string;
  readonly claimId: string;
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly verdict: AttemptVerdict;
  /** Null without a response. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly errorDetail: string | null;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  /** When the attempt started. */
  readonly endpointClass: EndpointClass;
  /** Number of deliveries that were started with the claim. */
  readonly claimSize: number;
}
