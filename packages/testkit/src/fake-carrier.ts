import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** Behaviour of the fake carrier; `usual`: it checks the credentials and knows no number. */
export type FakeCarrierBehaviour =
  | "usual"
  | "token_redirects"
  | "token_page"
  | "web_page"
  | "web_page_not_found"
  | "error_in_success"
  | "other_json"
  | "forbidden"
  | "rate_limited"
  | "failing"
  | "silent"
  | "clock_ahead";

export interface FakeCarrierOptions {
  /** Headers that every request to the API must have, for example a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Client id and secret of the token endpoint, in the form or with HTTP Basic. Not set: it needs no token. */
  readonly client?: { readonly id: string; readonly secret: string };
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A carrier behind HTTP: `/token` issues access tokens, every other path is its events API. */
export interface FakeCarrier {
  readonly origin: string;
  behave(as: FakeCarrierBehaviour): void;
  /** Paths of the requests so far, without queries. */
  requests(): readonly string[];
  close(): Promise<void>;
}

const accessToken = "fake-carrier-token";
const clockAheadMs = 3 * 3_600_000;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function page(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>");
}

export async function startFakeCarrier(options: FakeCarrierOptions = {}): Promise<FakeCarrier> {
  const { headers: expected = {}, client, tls } = options;
  let behaviour: FakeCarrierBehaviour = "usual";
  const paths: string[] = [];

  const isClient = (request: IncomingMessage, body: string): boolean => {
    if (client === undefined) return false;
    const form = new URLSearchParams(body);
    if (form.get("client_id") === client.id && form.get("client_secret") === client.secret) return true;
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
    return request.headers.authorization === `Basic ${basic}`;
  };
  const issueToken = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (behaviour === "token_redirects") {
      response.writeHead(302, { location: "https://login.example/" }).end();
    } else if (behaviour === "token_page") page(response, 200);
    else if (isClient(request, body)) json(response, 200, { access_token: accessToken, expires_in: 1_800 });
    else json(response, 401, { error: "invalid_client" });
  };
  const isAuthorized = ({ headers }: IncomingMessage): boolean =>
    Object.entries(expected).every(([name, value]) => headers[name.toLowerCase()] === value) &&
    (client === undefined || headers.authorization === `Bearer ${accessToken}`);
  const sendEvents = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isAuthorized(request)) json(response, 401, { errorCode: "unauthorized" });
    else if (behaviour === "web_page") page(response, 200);
    else if (behaviour === "web_page_not_found") page(response, 404);
    else if (behaviour === "error_in_success") json(response, 200, { error: "subscription expired", events: [] });
    else if (behaviour === "other_json") json(response, 200, { hello: "world" });
    else if (behaviour === "forbidden") json(response, 403, {});
    else if (behaviour === "rate_limited") json(response, 429, {}, { "retry-after": "90" });
    else if (behaviour === "failing") json(response, 503, {});
    else json(response, 404, { message: "No events found" });
  };
  const listener: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://line");
    paths.push(pathname);
    if (behaviour === "silent") return;
    if (behaviour === "clock_ahead") response.setHeader("date", new Date(Date.now() + clockAheadMs).toUTCString());
    if (pathname === "/token") void issueToken(request, response);
    else sendEvents(request, response);
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(as) {
      behaviour = as;
    },
    requests: () => [...paths],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
