import { createWebhookSigner, type WebhookSigner, webhookHeaders } from "@svc/egress";
import { notificationEnvelope } from "@svc/jsonapi";
import type { SecretBox, TakenDelivery } from "@svc/persistence";

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
];

/** Signs for the deliveries of one webhook that were taken together. Throws when a secret does not open. */
export function signerOf({ sealedSecret, previousSealedSecrets }: TakenDelivery, box: SecretBox): WebhookSigner {
  const sealed = [sealedSecret, ...previousSealedSecrets];
  return createWebhookSigner(sealed.map((secret) => box.open(secret)).filter((secret) => secret !== ""));
}

/**
 * The request of one attempt. The body is the same in every attempt of a notification; the signature is made anew, with
 * the time of the attempt by the database's clock.
 */
export function deliveryRequest(delivery: TakenDelivery, sign: WebhookSigner): DeliveryRequest {
  const { notificationId: id, startedAt } = delivery;
  const body = notificationEnvelope({ ...delivery, id });
  const own = webhookHeaders(sign, { id, body, timestampSeconds: Math.floor(Date.parse(startedAt) / 1000) });
  const taken = new Set([...connectionHeaders, ...Object.keys(own).map((name) => name.toLowerCase())]);
  const custom = delivery.headers.filter(({ name }) => !taken.has(name.toLowerCase()));
  return {
    body,
    headers: { ...Object.fromEntries(custom.map(({ name, value }) => [name, value])), ...own },
    loggedHeaders: { ...own, ...Object.fromEntries(custom.map(({ name }) => [name, "[configured]"])) },
  };
}
