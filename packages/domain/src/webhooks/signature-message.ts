/**
 * The content of the Standard Webhooks `v1` signature: id, time of the attempt in seconds since the epoch, and raw
 * body, joined by full stops. `X-SVC-Webhook-Signature` signs the raw body alone (docs/contract/decisions.md 5).
 */
export function signatureMessage(notificationId: string, timestampSeconds: number, body: string): string {
  return `${notificationId}.${timestampSeconds}.${body}`;
}
