/**
 * What the Standard Webhooks `v1` signature covers: the id, the time of the attempt in whole seconds since the epoch,
 * and the raw body, joined by full stops. `X-SVC-Webhook-Signature` covers the raw body alone
 * (docs/contract/decisions.md 5).
 */
export function signatureMessage(notificationId: string, timestampSeconds: number, body: string): string {
  return `${notificationId}.${timestampSeconds}.${body}`;
}
