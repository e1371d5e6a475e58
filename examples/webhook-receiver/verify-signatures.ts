import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const toleranceSeconds = 300;

/** Compares in constant time. */
function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

/**
 * Says what is wrong with a request, or null when both of its signatures are right.
 * `X-SVC-Webhook-Signature` is the hex HMAC-SHA256 of the raw body under the whole secret. `webhook-signature` is
 * Standard Webhooks: base64 HMAC-SHA256 of `id.timestamp.body` under the bytes that the secret stands for. While a
 * secret is being replaced each holds several signatures, and one that fits is enough.
 * @param body the bytes as they came: JSON that was parsed and written again is another text.
 */
export function findFault(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  nowSeconds: number,
): string | null {
  const timestamp = header(headers, "webhook-timestamp");
  if (!/^\d+$/.test(timestamp)) return "no timestamp";
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return "sent more than 5 minutes ago, or a replay";

  const bodyMac = createHmac("sha256", secret).update(body).digest();
  const bodySignatures = header(headers, "x-svc-webhook-signature").split(",");
  if (!bodySignatures.some((hex) => sameBytes(Buffer.from(hex.trim(), "hex"), bodyMac))) {
    return "X-SVC-Webhook-Signature does not fit";
  }

  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const covered = `${header(headers, "webhook-id")}.${timestamp}.`;
  const standardMac = createHmac("sha256", key).update(covered).update(body).digest();
  const standard = header(headers, "webhook-signature")
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"));
  const fits = standard.some((signature) => sameBytes(Buffer.from(signature.slice(3), "base64"), standardMac));
  return fits ? null : "webhook-signature does not fit";
}
