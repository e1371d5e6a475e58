import type { Dispatcher } from "undici";
import type { EgressAgent } from "./egress-agent.ts";
import { EgressError } from "./egress-error.ts";
import { type EgressPolicy, parseTarget } from "./egress-target.ts";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one request brought back. */
export interface Exchange {
  /** Null when no status line came in time. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The first 4 KiB, as it was sent: nothing is unpacked. */
  readonly body: string | null;
  /** Why the exchange failed; null when it was complete. An answer whose status came but whose body did not end in time
   * has both a status and an error. */
  readonly error: EgressError | null;
  readonly durationMs: number;
}

/** A status counts once it came in time, even when a body that nobody needs broke off, or was no valid one. */
export function answeredStatus({ status, error }: Exchange): number | null {
  return error === null || error.fault === "connection_failed" || error.fault === "protocol_error" ? status : null;
}

const exchangeTimeoutMs = 10_000;
const bodyReadBytesMax = 64 * 1024;
const bodyKeptBytesMax = 4 * 1024;

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
    return new EgressError("interrupted", "The request was cut off by a stop of the service.");
  }
  if (code === "UND_ERR_INVALID_ARG") {
    return new EgressError("invalid_header", "A configured header cannot be sent.", { cause: error });
  }
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return new EgressError("connection_failed", "The connection was closed before the answer was complete.", {
      cause: error,
    });
  }
  return new EgressError("protocol_error", "The answer is not valid HTTP.", { cause: error });
}

/**
 * Follows one request. undici's own response is a stream with much machinery; here a few bytes are kept and the rest is let go,
 * because a body may be endless.
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
      const words = `No complete answer came within ${exchangeTimeoutMs / 1000} seconds.`;
      this.#cutOff(new EgressError("timeout", words));
    }, exchangeTimeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for a connection until its time was over.
    if (this.#ended) controller.abort(new EgressError("timeout", "Too late."));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = flatHeaders(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read < bodyKeptBytesMax) this.#kept.push(chunk.subarray(0, bodyKeptBytesMax - this.#read));
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
 * One POST and its answer: no redirect is followed, no encoding unpacked, at most 64 KiB read, 10 s in all from the
 * resolution of the name to the last byte. Never rejects; the exchange says what went wrong. Destroying the agent cuts off
 * what is under way.
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
