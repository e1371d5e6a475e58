import { ApiError, AuthenticationError, NetworkError, SvcError, TimeoutError } from "../errors.ts";
import { toApiError } from "./error-response.ts";

export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

export type QueryValue = string | number | boolean | undefined;

/** Options of every call, besides its own arguments. */
export interface CallOptions {
  /** Aborts the call, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each attempt. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Receives the status and headers of the final response: ETag, RateLimit, X-Request-Id. */
  readonly onResponse?: ((response: { readonly status: number; readonly headers: Headers }) => void) | undefined;
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path below the base URL, with encoded segments, for example `/shipments`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Body, sent as JSON; bytes as they are. */
  readonly body?: unknown;
  /** `application/json` for the operations that are not JSON:API documents, `text/plain` for those that take a file. */
  readonly mediaType?: "application/vnd.api+json" | "application/json" | "text/plain";
  /** Key of a POST. Default: one of the client's own, so that a retry cannot act twice. */
  readonly idempotencyKey?: string | undefined;
  /** A POST without side effects: repeated without a key. */
  readonly isSafe?: boolean | undefined;
  /** ETag that the record must still have. */
  readonly ifMatch?: string | undefined;
  /** The response is a stream: its body is not read here, and the timeout ends with its headers. */
  readonly streams?: boolean | undefined;
  readonly options?: CallOptions | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when there is no body. Of a stream: its chunks. */
  readonly body: unknown;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly fetch: FetchLike;
}

export type Transport = (request: ApiRequest) => Promise<ApiResponse>;

const firstDelayMs = 500;
/** A longer `Retry-After` is the caller's to wait for: the error carries it. */
const delayMaxMs = 60_000;

function randomKey(): string {
  // `randomUUID` is not used: browsers offer it on secure origins only.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function requestUrl(baseUrl: string, request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return `${baseUrl}${request.path}${text === "" ? "" : `?${text}`}`;
}

function requestHeaders(authorization: string, request: ApiRequest): Record<string, string> {
  const headers: Record<string, string> = {
    authorization,
    accept: request.streams ? "*/*" : "application/vnd.api+json, application/json",
  };
  if (request.body !== undefined) headers["content-type"] = request.mediaType ?? "application/vnd.api+json";
  if (request.ifMatch !== undefined) headers["if-match"] = request.ifMatch;
  const needsKey = request.method === "POST" && request.isSafe !== true;
  const key = request.idempotencyKey ?? (needsKey ? randomKey() : undefined);
  if (key !== undefined) headers["idempotency-key"] = key;
  return headers;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!response.ok) return undefined;
    const detail = `The response (${response.status}) is not JSON. Check that baseUrl is the address of the API.`;
    throw new SvcError(detail, { cause: error });
  }
}

interface Limit {
  /** Aborted by a caller or by the time. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  stopTimer(): void;
  /** Clears the timer and the listeners on the signals of the caller. */
  end(): void;
}

function createLimit(timeoutMs: number, callers: readonly AbortSignal[]): Limit {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, timeoutMs);
  const leave = () => controller.abort();
  for (const caller of callers) caller.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    isOver: () => over,
    stopTimer: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      for (const caller of callers) caller.removeEventListener("abort", leave);
    },
  };
}

/** The body of a stream; a caller may abort it until it ends. */
async function* readChunks(
  body: ReadableStream<Uint8Array>,
  limit: Limit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    limit.signal.throwIfAborted();
    throw new NetworkError("The response ended early. Repeat the request.", { cause: error });
  } finally {
    limit.end();
    await reader.cancel().catch(() => undefined);
  }
}

const serializeBody = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);

/** One attempt. Distinguishes our timeout from an abort of the caller, because only the latter is passed on. */
async function attempt(
  options: TransportOptions,
  request: ApiRequest,
  address: string,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const timeoutMs = request.options?.timeoutMs ?? options.timeoutMs;
  const callers = abortSignals(options, request);
  const limit = createLimit(timeoutMs, callers);
  let streamed: AsyncIterable<Uint8Array> | undefined;
  try {
    const response = await options.fetch(address, {
      method: request.method,
      headers,
      signal: limit.signal,
      // A followed redirect would turn a POST into a GET and could carry the token elsewhere.
      redirect: "error",
      ...(request.body === undefined ? {} : { body: serializeBody(request.body) }),
    });
    if (request.streams && response.ok && response.body) {
      limit.stopTimer();
      streamed = readChunks(response.body, limit);
      return { status: response.status, headers: response.headers, body: streamed };
    }
    const body = await readBody(response);
    if (!response.ok) throw toApiError(response, body, Date.now());
    return { status: response.status, headers: response.headers, body };
  } catch (error) {
    if (error instanceof SvcError) throw error;
    for (const caller of callers) caller.throwIfAborted();
    if (limit.isOver()) {
      throw new TimeoutError(`No response from the API within ${timeoutMs} ms: ${request.method} ${request.path}`);
    }
    throw new NetworkError(`The API cannot be reached at ${new URL(address).origin}.`, { cause: error });
  } finally {
    if (!streamed) limit.end();
  }
}

/** The signals that may abort the request: the client's and the call's. */
function abortSignals(options: TransportOptions, request: ApiRequest): AbortSignal[] {
  return [options.signal, request.options?.signal].filter((signal) => signal !== undefined);
}

/** Whether a second attempt can help and cannot act twice. */
function isRetryable(error: unknown, repeatable: boolean): boolean {
  if (error instanceof NetworkError) return repeatable;
  if (!(error instanceof ApiError) || error instanceof AuthenticationError) return false;
  // Refused before anything was done, whatever the method.
  if (error.status === 429) return true;
  if (error.status === 409) return repeatable && error.hasCode("idempotency_in_progress");
  return repeatable && error.status >= 500 && error.status !== 501;
}

function delayMs(error: unknown, attemptCount: number): number {
  if (error instanceof ApiError && error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000;
  return firstDelayMs * 2 ** (attemptCount - 1) * (0.75 + Math.random() / 2);
}

/** Waits for `ms` milliseconds, or until a signal is aborted: the next attempt then throws its reason. */
function wait(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    for (const signal of signals) signal.addEventListener("abort", end, { once: true });
  });
}

/**
 * Sends requests to the API. Repeats a refused request (429) after its `Retry-After`, and what failed on the way or at
 * the API (5xx) where a repetition cannot act twice: reads, and everything that carries an `Idempotency-Key`.
 */
export function createTransport(options: TransportOptions): Transport {
  return async (request) => {
    const address = requestUrl(options.baseUrl, request);
    const headers = requestHeaders(options.authorization, request);
    const isRead = request.method === "GET" || request.isSafe === true;
    const repeatable = isRead || headers["idempotency-key"] !== undefined;
    const maxRetries = request.options?.maxRetries ?? options.maxRetries;
    const signals = abortSignals(options, request);
    for (let attemptCount = 1; ; attemptCount++) {
      for (const signal of signals) signal.throwIfAborted();
      try {
        const response = await attempt(options, request, address, headers);
        request.options?.onResponse?.(response);
        return response;
      } catch (error) {
        const waitMs = delayMs(error, attemptCount);
        if (attemptCount > maxRetries || waitMs > delayMaxMs || !isRetryable(error, repeatable)) throw error;
        await wait(waitMs, signals);
      }
    }
  };
}
