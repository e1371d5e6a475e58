import { once } from "node:events";
import http from "node:http";
import { createConnection } from "node:net";

/** A request as it is written to the connection. */
export interface WireRequest {
  readonly method: string;
  /** Path below the version prefix, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Whether the body is sent without a Content-Length, in one chunk. */
  readonly chunked?: boolean;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface Wire {
  send(request: WireRequest): Promise<WireResponse>;
  /** Bytes that no client would send, on a connection of their own. */
  sendBytes(bytes: string): Promise<WireResponse>;
  close(): void;
}

/** Connections to an API: nothing is checked, completed or normalised on the way. */
export function connectWire(baseUrl: string): Wire {
  const { hostname, port, pathname } = new URL(baseUrl);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  return {
    async send({ method, path, headers, body, chunked }) {
      const length = body && !chunked ? { "Content-Length": String(body.length) } : {};
      const options = { agent, hostname, port, method, path: `${pathname}${path}`, headers: { ...length, ...headers } };
      const request = http.request(options);
      const responded = once(request, "response") as Promise<[http.IncomingMessage]>;
      request.end(body);
      const [response] = await responded;
      // The answer may come before the body is taken; then the connection ends under the rest of it.
      request.on("error", () => undefined);
      let text = "";
      for await (const part of response.setEncoding("utf8") as AsyncIterable<string>) text += part;
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    },
    async sendBytes(bytes) {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.end(bytes, "latin1");
      let received = "";
      for await (const part of socket.setEncoding("utf8") as AsyncIterable<string>) received += part;
      const end = received.indexOf("\r\n\r\n");
      const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      return { status: Number(statusLine.split(" ")[1]), headers, text: received.slice(end + 4) };
    },
    close: () => agent.destroy(),
  };
}
