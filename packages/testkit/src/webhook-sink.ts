import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "./eventually.ts";

/** One request that the sink received. */
export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Exactly the bytes of the body, for signatures. */
  readonly body: Buffer;
  readonly receivedAtMs: number;
}

/** Response of the sink: a status, and optionally headers, a body and a delay. */
export interface SinkResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly afterMs?: number;
}

/** A webhook receiver that keeps all requests and sends the configured response. */
export interface WebhookSink {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Sets the response to all further requests, 200 by default. A function decides for each request. */
  respondWith(next: SinkResponse | ((delivery: Delivery) => SinkResponse)): void;
  /** Resolves with the first delivery, past or future, that the condition accepts. */
  delivery(what: string, accepts: (delivery: Delivery) => boolean, timeoutMs?: number): Promise<Delivery>;
  close(): Promise<void>;
}

/** @param host with `0.0.0.0` the sink also listens on every address of 127.0.0.0/8, so one sink serves many hosts. */
export async function startWebhookSink(host = "127.0.0.1"): Promise<WebhookSink> {
  const deliveries: Delivery[] = [];
  let decide: (delivery: Delivery) => SinkResponse = () => ({ status: 200 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const delivery = {
        path: request.url ?? "/",
        headers: request.headers,
        body: Buffer.concat(chunks),
        receivedAtMs: Date.now(),
      };
      deliveries.push(delivery);
      const { status, headers, body, afterMs } = decide(delivery);
      const respond = () => response.writeHead(status, headers).end(body);
      if (afterMs === undefined) respond();
      else setTimeout(respond, afterMs).unref();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    respondWith(next) {
      decide = typeof next === "function" ? next : () => next;
    },
    delivery: (what, accepts, timeoutMs) => eventually(what, () => deliveries.find(accepts), timeoutMs),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
