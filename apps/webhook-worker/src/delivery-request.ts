import type { WebhookHeader } from "@svc/domain";
import { createWebhookSigner, type WebhookSigner, webhookHeaders } from "@svc/egress";
import { notificationEnvelope } from "@svc/jsonapi";
import { type DeliveryTarget, openHeaders, type SecretBox, type TakenDelivery } from "@svc/persistence";

export interface DeliveryRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The same without the values that the webhook's owner chose, which may be credentials. */
  readonly loggedHeaders: Readonly<Record<string, string>>;
}

/** Belong to the connection and not to the message, so nobody may set them. */
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
export type PrepareRequest = (delivery: TakenDelivery, traceparent: string | null) => DeliveryRequest;

/**
 * What is the same for all deliveries of a claim is made once; null when a secret or the headers do not open. The body is the same in every
 * attempt of a notification; the signature is made anew, with the time of the attempt by the database's clock.
 */
export function requestsTo(target: DeliveryTarget, box: SecretBox): PrepareRequest | null {
  const sealed = openTarget(target, box);
  if (!sealed) return null;
  const { sign, headers } = sealed;
  const sample = webhookHeaders(sign, { id: "", body: "", timestampSeconds: 0 });
  const taken = new Set([
    ...connectionHeaders,
    "traceparent",
    ...Object.keys(sample).map((name) => name.toLowerCase()),
  ]);
  const custom = headers.filter(({ name }) => !taken.has(name.toLowerCase()));
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
