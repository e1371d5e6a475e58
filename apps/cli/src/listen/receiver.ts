import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createDeduplicator, verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@svc/sdk/webhooks";

const bodyBytesMax = 5_000_000;

/** A verified delivery, before its response. */
export interface Received {
  readonly event: WebhookEvent;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: IncomingMessage["headers"];
}

export interface Receiver {
  readonly port: number;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

/**
 * Receives deliveries on this machine's loopback address. `handle` returns the status for a verified delivery, and runs
 * once for each notification; a delivery with an invalid signature gets 401.
 */
export async function startReceiver(options: {
  readonly port: number;
  /** Undefined while the webhook is being created: a delivery then gets 503, so that it is retried. */
  readonly secret: () => string | undefined;
  readonly handle: (received: Received) => Promise<number>;
  readonly refused: (reason: string) => void;
}): Promise<Receiver> {
  const once = createDeduplicator();
  const statusFor = async (request: IncomingMessage): Promise<number> => {
    const secret = options.secret();
    if (request.method !== "POST") return 405;
    if (secret === undefined) return 503;
    const body = await readBody(request);
    if (body === undefined) return 413;
    const { headers } = request;
    let event: WebhookEvent;
    try {
      event = await verifyWebhook({ body, headers, secret });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      options.refused(error.message);
      return 401;
    }
    let status = 204;
    const refusal = new Error("not taken");
    await once(event.id, async () => {
      status = await options.handle({ event, body, headers });
      // The id is not kept, so it is delivered again.
      if (status >= 300) throw refusal;
    }).catch((error: unknown) => {
      if (error !== refusal) throw error;
    });
    return status;
  };
  const server = createServer((request, response) => {
    statusFor(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
    },
  };
}
