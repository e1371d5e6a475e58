import { Agent, type Dispatcher } from "undici";

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Bytes of the body, at most `maxBytes`; `isComplete` is false when it was longer. */
  readonly body: Uint8Array;
  readonly isComplete: boolean;
}

/** Why there was no complete response. */
export type TransportFault =
  | "timed_out"
  | "name_not_resolved"
  | "connection_refused"
  | "certificate_invalid"
  | "connection_failed";

/** No response or an incomplete one. The text contains only an error code or the exceeded limit. */
export interface HttpFailure {
  readonly failure: string;
  readonly fault: TransportFault;
}

/** One header as text; the first of repeated ones. */
export function headerOf(response: HttpResponse, name: string): string | null {
  const value = response.headers[name.toLowerCase()];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

async function readUpTo(body: Dispatcher.ResponseData["body"], maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    // Leaving the loop destroys the body and its connection, so the rest is not downloaded.
    if (size > maxBytes) return { body: Buffer.concat(chunks, maxBytes), isComplete: false };
  }
  return { body: Buffer.concat(chunks, size), isComplete: true };
}

/** Error codes of Node, libuv and OpenSSL. A firewall shows as a refused, unreachable or forbidden address. */
const faultsByCode: readonly (readonly [RegExp, TransportFault])[] = [
  [/^(?:ENOTFOUND|EAI_[A-Z]+)$/, "name_not_resolved"],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM)$/, "connection_refused"],
  [/^(?:UND_ERR_[A-Z]+_TIMEOUT|ETIMEDOUT)$/, "timed_out"],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/, "certificate_invalid"],
];

function toFailure(error: unknown, timeoutMs: number): HttpFailure {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === "TimeoutError") return { failure: `no complete response within ${timeoutMs} ms`, fault: "timed_out" };
  if (typeof code !== "string" || !/^[A-Z0-9_]{1,40}$/.test(code)) {
    return { failure: "connection failed", fault: "connection_failed" };
  }
  const fault = faultsByCode.find(([shape]) => shape.test(code))?.[1] ?? "connection_failed";
  return { failure: `connection failed: ${code}`, fault };
}

interface Request {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
}

/** Requests to one carrier over persistent connections. Redirects are not followed: they could lead anywhere. */
export class HttpExchange {
  #agent: Agent;
  /** Replaced agents with requests in flight. */
  readonly #closing = new Set<Agent>();
  readonly #timeoutMs: number;

  constructor(options: { timeoutMs: number }) {
    this.#timeoutMs = options.timeoutMs;
    this.#agent = this.#createAgent();
  }

  /** Rejects only when `signal` aborts, with its reason. */
  async send(request: Request, signal: AbortSignal): Promise<HttpResponse | HttpFailure> {
    const { method, url, headers, body, maxBytes } = request;
    signal.throwIfAborted();
    const agent = this.#agent;
    try {
      const response = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]),
      });
      return { status: response.statusCode, headers: response.headers, ...(await readUpTo(response.body, maxBytes)) };
    } catch (error) {
      signal.throwIfAborted();
      const failure = toFailure(error, this.#timeoutMs);
      if (failure.fault === "timed_out") this.#replace(agent);
      return failure;
    }
  }

  #createAgent(): Agent {
    return new Agent({
      connections: 8,
      connect: { timeout: this.#timeoutMs },
      headersTimeout: this.#timeoutMs,
      bodyTimeout: this.#timeoutMs,
    });
  }

  /** The connections of a host that vanished stay silent after its return: later requests use new ones. */
  #replace(agent: Agent): void {
    if (this.#agent !== agent) return;
    this.#agent = this.#createAgent();
    this.#closing.add(agent);
    void agent.close().finally(() => this.#closing.delete(agent));
  }

  /** Aborts requests in flight and closes every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#agent, ...this.#closing].map((agent) => agent.destroy()));
  }
}
