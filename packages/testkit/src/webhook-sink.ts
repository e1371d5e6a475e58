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

/** How the sink answers: a status, with headers and a delay where a test wants them. */
export interface SinkAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly afterMs?: number;
}

/** A consumer of webhooks: keeps all it receives and answers as it is told. */
export interface WebhookSink {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** From now on answers so; 200 at first. A function decides for each request. */
  answerWith(answer: SinkAnswer | ((delivery: Delivery) => SinkAnswer)): void;
  /** Resolves with the first delivery, past or future, that the condition accepts. */
  delivery(what: string, accepts: (delivery: Delivery) => boolean, timeoutMs?: number): Promise<Delivery>;
  close(): Promise<void>;
}

/** @param host `0.0.0.0` is at every address of 127.0.0.0/8 too, which makes many hosts of one sink. */
export async function startWebhookSink(host = "127.0.0.1"): Promise<WebhookSink> {
  const deliveries: Delivery[] = [];
  let decide: (delivery: Delivery) => SinkAnswer = () => ({ status: 200 });
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
      const answer = () => response.writeHead(status, headers).end(body);
      if (afterMs === undefined) answer();
      else setTimeout(answer, afterMs).unref();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    answerWith(answer) {
      decide = typeof answer === "function" ? answer : () => answer;
    },
    delivery: (what, accepts, timeoutMs) => eventually(what, () => deliveries.find(accepts), timeoutMs),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
