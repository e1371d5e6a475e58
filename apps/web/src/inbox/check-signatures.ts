import type { InboxRequest } from "@svc/persistence/inbox";
import { verifyWebhook, WebhookVerificationError } from "@svc/sdk/webhooks";

/** Whether a receiver with the secret would accept a delivery, or why it would reject it. */
export type Verdict = string;

/** The stored text is truncated, or has replacement characters for bytes that are not UTF-8. */
const isChanged = ({ body, bodyBytes }: InboxRequest): boolean => Buffer.byteLength(body) !== bodyBytes;

async function check(request: InboxRequest, secret: string): Promise<Verdict> {
  if (isChanged(request)) return "cannot be checked: its body is not kept as it came";
  const { headers, body, receivedAt } = request;
  try {
    await verifyWebhook({ headers, body, secret, nowMs: Date.parse(receivedAt) });
    return "signature right";
  } catch (error) {
    if (error instanceof WebhookVerificationError) return `refused: ${error.reason.replaceAll("_", " ")}`;
    throw error;
  }
}

/** Verdicts of the client library at the time of each request, by id of the request. */
export async function checkSignatures(
  requests: readonly InboxRequest[],
  secret: string,
): Promise<ReadonlyMap<string, Verdict>> {
  return new Map(
    await Promise.all(requests.map(async (one): Promise<[string, Verdict]> => [one.id, await check(one, secret)])),
  );
}
