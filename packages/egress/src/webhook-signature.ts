import { createHmac, createSecretKey } from "node:crypto";

const prefix = "whsec_";

/** Standard Webhooks: the key is the base64 after `whsec_`. A secret without the prefix is used as the key. */
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

/** Returns the signature headers of a message. */
export type WebhookSigner = (message: SignedMessage) => Record<string, string>;

/**
 * Signs webhook requests (docs/contract/decisions.md 5; docs/contract/specification.md authentication.5).
 * `X-SVC-Webhook-Signature` is the lower-case hex HMAC-SHA256 of the raw body with the whole secret as the key.
 * `webhook-signature` follows Standard Webhooks and also covers id and time, so that a receiver can refuse replays.
 * During a rotation each header has one signature per secret, the current one first: hex signatures separated by a
 * comma, those of Standard Webhooks by a space. Without a secret nothing is signed.
 */
export function createWebhookSigner(secrets: readonly string[]): WebhookSigner {
  const keys = secrets.map((secret) => ({
    whole: createSecretKey(secret, "utf8"),
    standard: createSecretKey(standardKey(secret)),
  }));
  return ({ id, timestampSeconds, body }) => {
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestampSeconds) };
    if (keys.length === 0) return headers;
    // Standard Webhooks `v1`.
    const covered = `${id}.${timestampSeconds}.${body}`;
    return {
      ...headers,
      "webhook-signature": keys
        .map(({ standard }) => `v1,${createHmac("sha256", standard).update(covered).digest("base64")}`)
        .join(" "),
      "X-SVC-Webhook-Signature": keys
        .map(({ whole }) => createHmac("sha256", whole).update(body).digest("hex"))
        .join(","),
    };
  };
}

const userAgent = "SVC-Webhooks/1.0";

/** The service's own headers of a webhook request, real or sample. */
export function webhookHeaders(sign: WebhookSigner, message: SignedMessage): Record<string, string> {
  return { "content-type": "application/json", "user-agent": userAgent, ...sign(message) };
}
