import { type SignedMessage, webhookSignatureHeaders } from "@svc/egress";
import { notificationEnvelope } from "@svc/jsonapi";
import type { SecretBox, TakenDelivery } from "@svc/persistence";

export interface DeliveryRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The same without the values that the webhook's owner chose, which may be credentials. */
  readonly loggedHeaders: Readonly<Record<string, string>>;
}

export const userAgent = "SVC-Webhooks/1.0";

function secretsOf({ sealedSecret, previousSealedSecret }: TakenDelivery, box: SecretBox): string[] {
  const sealed = previousSealedSecret ? [sealedSecret, previousSealedSecret] : [sealedSecret];
  return sealed.map((secret) => box.open(secret)).filter((secret) => secret !== "");
}

/**
 * The request of one attempt. The body is the same in every attempt of a notification; the signature is made anew, with
 * the time of the attempt by the database's clock. Throws when a secret does not open.
 */
export function deliveryRequest(delivery: TakenDelivery, box: SecretBox): DeliveryRequest {
  const { notificationId: id, startedAt } = delivery;
  const body = notificationEnvelope({ ...delivery, id });
  const message: SignedMessage = { id, body, timestampSeconds: Math.floor(Date.parse(startedAt) / 1000) };
  const own = {
    "content-type": "application/json",
    "user-agent": userAgent,
    ...webhookSignatureHeaders(message, secretsOf(delivery, box)),
  };
  const ownNames = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const custom = delivery.headers.filter(({ name }) => !ownNames.has(name.toLowerCase()));
  return {
    body,
    headers: { ...Object.fromEntries(custom.map(({ name, value }) => [name, value])), ...own },
    loggedHeaders: { ...own, ...Object.fromEntries(custom.map(({ name }) => [name, "[configured]"])) },
  };
}
