import type { InboxRequest } from "@svc/persistence";
import { verifyWebhook, WebhookVerificationError } from "@svc/sdk/webhooks";

/** Why a delivery would be refused by a receiver that holds the secret, or that it would be taken. */
export type Verdict = string;

/** Text that is not all there, or that has something else for bytes which are no text. */
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

/** As the client library would have checked each when it came; by the id of the request. */
export async function checkSignatures(
  requests: readonly InboxRequest[],
  secret: string,
): Promise<ReadonlyMap<string, Verdict>> {
  return new Map(
    await Promise.all(requests.map(async (one): Promise<[string, Verdict]> => [one.id, await check(one, secret)])),
  );
}
