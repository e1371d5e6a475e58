import type { WebhookHeader } from "@svc/domain/webhooks";
import { createWebhookSigner, type WebhookSigner, webhookHeaders } from "@svc/egress";
import { notificationEnvelope } from "@svc/jsonapi/notifications";
import type { SecretBox } from "@svc/persistence";
import type { DeliveryAttempt, DeliveryTarget } from "@svc/persistence/delivery";
import { openHeaders } from "@svc/persistence/webhooks";

export interface DeliveryRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers without the values that the webhook's owner configured, which may be credentials. */
  readonly loggedHeaders: Readonly<Record<string, string>>;
}

/** Connection headers, which a webhook may not set. */
const connectionHeaders = [
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "proxy-connection",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "accept-encoding",
];

/** The request of one attempt. */
export type PrepareRequest = (delivery: DeliveryAttempt, traceparent: string | null) => DeliveryRequest;

/**
 * Prepares what all deliveries of a claim share. Every attempt of a notification has the same body and a new
 * signature, with the time of the attempt by the database's clock.
 * @returns null when a secret or the headers cannot be opened.
 */
export function requestsTo(target: DeliveryTarget, box: SecretBox): PrepareRequest | null {
  const opened = openTarget(target, box);
  if (!opened) return null;
  const { sign, headers } = opened;
  const sample = webhookHeaders(sign, { id: "", body: "", timestampSeconds: 0 });
  const reserved = new Set([
    ...connectionHeaders,
    "traceparent",
    ...Object.keys(sample).map((name) => name.toLowerCase()),
  ]);
  const custom = headers.filter(({ name }) => !reserved.has(name.toLowerCase()));
  const sent = Object.fromEntries(custom.map(({ name, value }) => [name, value]));
  const logged = Object.fromEntries(custom.map(({ name }) => [name, "[configured]"]));
  return (delivery, traceparent) => {
    const { notificationId: id, startedAt } = delivery;
    const body = notificationEnvelope({ ...delivery, id });
    const message = { id, body, timestampSeconds: Math.floor(Date.parse(startedAt) / 1000) };
    const own = { ...webhookHeaders(sign, message), ...(traceparent && { traceparent }) };
    return { body, headers: { ...sent, ...own }, loggedHeaders: { ...own, ...logged } };
  };
}

interface OpenedTarget {
  readonly sign: WebhookSigner;
  readonly headers: readonly WebhookHeader[];
}

function openTarget(target: DeliveryTarget, box: SecretBox): OpenedTarget | null {
  try {
    const secrets = [target.sealedSecret, ...target.previousSealedSecrets].map((secret) => box.open(secret));
    return {
      sign: createWebhookSigner(secrets.filter((secret) => secret !== "")),
      headers: openHeaders(target, box),
    };
  } catch {
    return null;
  }
}
