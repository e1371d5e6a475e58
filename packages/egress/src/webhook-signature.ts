import { createHmac } from "node:crypto";
import { signatureMessage } from "@svc/domain";

const prefix = "whsec_";

/** Standard Webhooks: the key is what the base64 after `whsec_` stands for. Another text is its own key. */
function standardKey(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
}

export interface SignedMessage {
  /** `data.id` of the body. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/**
 * The signature headers of a webhook request (contract-decisions.md 5; spec: Authentication 5).
 * `X-SVC-Webhook-Signature` is the lower-case hex HMAC-SHA256 of the raw body under the whole secret. `webhook-signature`
 * follows Standard Webhooks and covers the id and the time too, so that a receiver can refuse replays. While a secret is
 * being replaced each header holds one signature for each secret, the current one first: the hex ones separated by a
 * comma, the Standard Webhooks ones by a space.
 */
export function webhookSignatureHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const { id, timestampSeconds, body } = message;
  const standard = { "webhook-id": id, "webhook-timestamp": String(timestampSeconds) };
  if (secrets.length === 0) return standard;
  const covered = signatureMessage(id, timestampSeconds, body);
  return {
    ...standard,
    "webhook-signature": secrets
      .map((secret) => `v1,${createHmac("sha256", standardKey(secret)).update(covered).digest("base64")}`)
      .join(" "),
    "X-SVC-Webhook-Signature": secrets
      .map((secret) => createHmac("sha256", secret).update(body).digest("hex"))
      .join(","),
  };
}
