import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Headers that belong to one connection. */
const ofConnection = new Set(["host", "connection", "content-length", "content-encoding", "transfer-encoding"]);

const withoutConnection = (headers: Iterable<[string, string]>): [string, string][] =>
  [...headers].filter(([name]) => !ofConnection.has(name));

export interface ApiProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/**
 * Forwards requests to the API. `intercept` runs before each: with "drop" the connection breaks, as when the API goes
 * away.
 */
export async function startApiProxy(
  apiBaseUrl: string,
  intercept: (call: string) => Promise<"drop" | undefined>,
): Promise<ApiProxy> {
  const { origin } = new URL(apiBaseUrl);
  const forward = async (request: IncomingMessage): Promise<Response | null> => {
    const { method = "GET", url: path = "/" } = request;
    const body = await buffer(request);
    if ((await intercept(`${method} ${path}`)) === "drop") return null;
    const headers = withoutConnection(Object.entries(request.headers) as [string, string][]);
    return fetch(`${origin}${path}`, { method, headers, ...(body.byteLength > 0 && { body: new Uint8Array(body) }) });
  };
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await forward(request);
    if (answer === null) return void request.socket.destroy();
    response.writeHead(answer.status, Object.fromEntries(withoutConnection(answer.headers)));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  };
}
