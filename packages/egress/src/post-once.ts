import type { Dispatcher } from "undici";
import type { EgressAgent } from "./egress-agent.ts";
import { EgressError } from "./egress-error.ts";
import { type EgressPolicy, parseTarget } from "./egress-target.ts";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The result of one request. */
export interface Exchange {
  /** Null when no status line was received in time. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 4 KiB as received, not decoded. */
  readonly body: string | null;
  /** Null when the exchange was complete. A response whose body did not end in time has both a status and an error. */
  readonly error: EgressError | null;
  readonly durationMs: number;
}

/** The status if received in time. It counts even when the body was interrupted or invalid. */
export function responseStatus({ status, error }: Exchange): number | null {
  return error === null || error.fault === "connection_failed" || error.fault === "protocol_error" ? status : null;
}

const exchangeTimeoutMs = 10_000;
const bodyReadBytesMax = 64 * 1024;
const bodyStoredBytesMax = 4 * 1024;

type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

function flatHeaders(headers: ResponseHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    flat[name] = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  }
  return flat;
}

function failure(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { code } = error as { code?: string };
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED") {
    return new EgressError("interrupted", "The service stopped before the response was complete.");
  }
  if (code === "UND_ERR_INVALID_ARG") {
    return new EgressError("invalid_header", "A configured header cannot be sent.", { cause: error });
  }
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return new EgressError("connection_failed", "The connection was closed before the response was complete.", {
      cause: error,
    });
  }
  return new EgressError("protocol_error", "The response is not valid HTTP.", { cause: error });
}

/**
 * Handles one request at the dispatcher level of undici, which avoids the cost of a response stream. Keeps the start of
 * the body and discards the rest, which may be endless.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #startedMs = performance.now();
  readonly #resolve: (exchange: Exchange) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #headers: Record<string, string> | null = null;
  #kept: Buffer[] = [];
  #read = 0;
  #ended = false;

  constructor(resolve: (exchange: Exchange) => void) {
    this.#resolve = resolve;
    this.#timer = setTimeout(() => {
      const message = `No complete response within ${exchangeTimeoutMs / 1000} seconds.`;
      this.#cutOff(new EgressError("timeout", message));
    }, exchangeTimeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request waited for a connection until the timeout.
    if (this.#ended) controller.abort(new EgressError("timeout", "The response came after the time limit."));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = flatHeaders(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read < bodyStoredBytesMax) this.#kept.push(chunk.subarray(0, bodyStoredBytesMax - this.#read));
    this.#read += chunk.length;
    if (this.#read >= bodyReadBytesMax) this.#cutOff(null);
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(failure(error));
  }

  end(error: EgressError | null): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: this.#status === null ? null : Buffer.concat(this.#kept).toString("utf8"),
      error,
      durationMs: Math.round(performance.now() - this.#startedMs),
    });
  }

  #cutOff(error: EgressError | null): void {
    this.end(error);
    this.#controller?.abort(error ?? new EgressError("interrupted", "Enough was read."));
  }
}

/**
 * Sends one POST. Redirects are not followed, encodings not decoded, at most 64 KiB read, and the whole exchange takes
 * at most 10 s, from name resolution to the last byte. Never rejects: the exchange contains the error. Destroying the
 * agent aborts it.
 */
export function postOnce(agent: EgressAgent, policy: EgressPolicy, post: Post): Promise<Exchange> {
  return new Promise((resolve) => {
    let over = (): void => undefined;
    const handler = new ExchangeHandler((exchange) => {
      over();
      resolve(exchange);
    });
    try {
      const { origin, pathname, search } = parseTarget(post.url, policy);
      const headers = { ...post.headers, "accept-encoding": "identity" };
      over = agent.begin(origin);
      agent.dispatch({ origin, path: `${pathname}${search}`, method: "POST", headers, body: post.body }, handler);
    } catch (error) {
      handler.end(failure(error));
    }
  });
}
