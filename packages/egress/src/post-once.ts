import { type Agent, type Dispatcher, request } from "undici";
import { EgressError } from "./egress-error.ts";
import { type EgressPolicy, parseTarget } from "./egress-target.ts";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the exchange early. */
  readonly signal?: AbortSignal;
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

/** A status counts once it came in time, even when the connection broke before the end of a body that nobody needs. */
export function answeredStatus({ status, error }: Exchange): number | null {
  return error === null || error.fault === "connection_failed" ? status : null;
}

const exchangeTimeoutMs = 10_000;
const bodyReadBytesMax = 64 * 1024;
const bodyKeptBytesMax = 4 * 1024;

function flatHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

/** Reads what is kept and lets the rest go: a body may be endless. */
async function readFirst(body: Dispatcher.ResponseData["body"], kept: Buffer[]): Promise<void> {
  let read = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    if (read < bodyKeptBytesMax) kept.push(bytes.subarray(0, bodyKeptBytesMax - read));
    read += bytes.length;
    if (read >= bodyReadBytesMax) break;
  }
}

function failure(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { name, code } = error as { name?: string; code?: string };
  if (name === "TimeoutError") {
    return new EgressError("timeout", `No complete answer came within ${exchangeTimeoutMs / 1000} seconds.`);
  }
  if (name === "AbortError") return new EgressError("interrupted", "The request was cut off by a stop of the service.");
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
 * One POST and its answer: no redirect is followed, no encoding unpacked, at most 64 KiB read, 10 s in all from the
 * resolution of the name to the last byte. Never rejects; the exchange says what went wrong.
 */
export async function postOnce(agent: Agent, policy: EgressPolicy, post: Post): Promise<Exchange> {
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(exchangeTimeoutMs);
  let status: number | null = null;
  let headers: Record<string, string> | null = null;
  const kept: Buffer[] = [];
  const done = (error: EgressError | null): Exchange => ({
    status,
    headers,
    body: status === null ? null : Buffer.concat(kept).toString("utf8"),
    error,
    durationMs: Math.round(performance.now() - startedMs),
  });
  try {
    const target = parseTarget(post.url, policy);
    const response = await request(target, {
      dispatcher: agent,
      method: "POST",
      headers: { ...post.headers, "accept-encoding": "identity" },
      body: post.body,
      signal: post.signal ? AbortSignal.any([timeout, post.signal]) : timeout,
    });
    status = response.statusCode;
    headers = flatHeaders(response.headers);
    await readFirst(response.body, kept);
    return done(null);
  } catch (error) {
    return done(failure(error));
  }
}
