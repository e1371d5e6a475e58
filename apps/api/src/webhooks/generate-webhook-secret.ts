import { randomBytes } from "node:crypto";

/** Standard Webhooks form: 32 random bytes. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
