import { createHmac } from "node:crypto";
import { type Client, createClient } from "@svc/sdk";

/** Longest that one request to the API may take; a tool that waits longer is of no use to a conversation. */
const apiTimeoutMs = 10_000;

/** Headers of the API's limits that are passed on to the caller. */
const limitHeaders = ["ratelimit", "ratelimit-policy"];

/** The API under the token of one caller, for one message. It is never reused, so no caller can use another's token. */
export interface Caller {
  readonly client: Client;
  /** Tools that write are neither listed nor called. */
  readonly isReadOnly: boolean;
  /** How an error of the API is reported: as an HTTP status, or, on stdio, as the tool's result. */
  readonly transport: "http" | "stdio";
  /** Address of the web application, without a slash at the end; undefined: not known. */
  readonly appUrl: string | undefined;
  /** Rate limit headers of the API's latest response. */
  readonly limits: ReadonlyMap<string, string>;
  /** The API accepted the token in this message. */
  isAccepted(): boolean;
  /** Authenticates a text that returns in a later message of the same token (HMAC-SHA256). */
  sign(text: string): string;
}

export interface CallerOptions {
  readonly apiBaseUrl: string;
  /** API token with its scheme, for example `Bearer svc_live_…`, or bare. */
  readonly token: string;
  readonly transport: "http" | "stdio";
  readonly isReadOnly: boolean;
  readonly appUrl?: string | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Headers of the trace of which the requests are part. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
}

export function createCaller(options: CallerOptions): Caller {
  const limits = new Map<string, string>();
  let accepted = false;
  const client = createClient({
    baseUrl: options.apiBaseUrl,
    token: options.token,
    // The caller decides about waiting and repeating: a call that sleeps through a limit looks broken.
    maxRetries: 0,
    timeoutMs: apiTimeoutMs,
    signal: options.signal,
    async fetch(url, init) {
      const headers = { ...(init.headers as Record<string, string>), ...options.traceHeaders };
      const response = await fetch(url, { ...init, headers });
      // A 5xx may come from a proxy that did not check the token. A 429 without RateLimit means an invalid token.
      const isRefused = response.status === 401 || (response.status === 429 && !response.headers.has("ratelimit"));
      if (!isRefused && response.status < 500) accepted = true;
      for (const name of limitHeaders) {
        const value = response.headers.get(name);
        if (value !== null) limits.set(name, value);
      }
      return response;
    },
  });
  const { transport, isReadOnly, appUrl } = options;
  const sign = (text: string) => createHmac("sha256", options.token).update(text).digest("base64url");
  return { client, transport, isReadOnly, appUrl, limits, isAccepted: () => accepted, sign };
}
