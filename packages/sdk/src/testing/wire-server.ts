import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, decoded. */
  readonly url: string;
  /** Path and query as sent. */
  readonly rawUrl: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where it is JSON, else its text. */
  readonly body: unknown;
  /** Resolves when its response was sent, or its connection is closed. */
  readonly gone: Promise<void>;
}

export interface WireResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** `hang`: never responds. `break`: closes the connection without a response. */
export type WireBehaviour = WireResponse | "hang" | "break";

export interface WireServer {
  readonly baseUrl: string;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function bodyOf(text: string, mediaType = ""): unknown {
  if (text === "") return undefined;
  return mediaType.includes("json") ? JSON.parse(text) : text;
}

/** A real HTTP server that speaks the API's wire format, for tests of clients. */
export async function startWireServer(
  behave: (request: ReceivedRequest, index: number) => WireBehaviour | Promise<WireBehaviour>,
): Promise<WireServer> {
  const requests: ReceivedRequest[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const received = {
      method: request.method ?? "",
      url: decodeURIComponent(request.url ?? ""),
      rawUrl: request.url ?? "",
      headers: request.headers,
      body: bodyOf(text, request.headers["content-type"]),
      gone: new Promise<void>((resolve) => response.once("close", () => resolve())),
    };
    requests.push(received);
    const behaviour = await behave(received, requests.length - 1);
    if (behaviour === "hang") return;
    if (behaviour === "break") {
      request.socket.destroy();
      return;
    }
    response.writeHead(behaviour.status ?? 200, {
      "content-type": "application/vnd.api+json",
      "x-request-id": "request-1",
      ...behaviour.headers,
    });
    if (behaviour.body === undefined) response.end();
    else response.end(typeof behaviour.body === "string" ? behaviour.body : JSON.stringify(behaviour.body));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.writeHead(500).end(error.stack));
  });
  await listening(server);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
