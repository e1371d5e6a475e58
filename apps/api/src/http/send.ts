import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type ErrorContext, type Fault, statusOf, TrackingError, toErrorDocument } from "@svc/jsonapi";
import { jsonApiMediaType, negotiate } from "@svc/jsonapi/http";
import { isDatabaseUnavailable } from "@svc/persistence";
import type { Request, Response } from "express";

/** A response that is ready to be sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: no body. */
  readonly body: string;
  /** Stream that is sent in place of the body. */
  readonly stream?: AsyncIterable<string | Uint8Array>;
}

/** Headers of every JSON response, names and values in turn. */
export const fixedHeaders: readonly string[] = [
  "Vary",
  "Accept, Authorization",
  "X-Content-Type-Options",
  "nosniff",
  "Content-Security-Policy",
  "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy",
  "no-referrer",
  "Strict-Transport-Security",
  "max-age=31536000",
];

/** Headers that the response will have in any case, names and values in turn. */
export function headersAhead(response: Response): string[] {
  response.locals.headers ??= [];
  return response.locals.headers as string[];
}

/**
 * Bypasses Express, which would add a charset that JSON:API does not allow. All headers go in one list, because Node
 * validates and stores each header that is set by itself.
 */
export function sendResponse(response: Response, { status, headers, body }: HttpResponse): void {
  const all = [...headersAhead(response)];
  for (const name in headers) all.push(name, headers[name] as string);
  if (status !== 204 && status !== 304) all.push("Content-Length", String(Buffer.byteLength(body)));
  response.writeHead(status, all).end(body);
}

/**
 * Sends a body of any length: the stream is read only as fast as the client takes it, and ends when the client
 * disconnects. An error after the headers breaks the connection, so that the client does not take a part for the whole.
 */
export async function sendStream(
  request: Request,
  response: Response,
  stream: AsyncIterable<string | Uint8Array>,
  { status, headers }: HttpResponse,
): Promise<void> {
  const isGzip = request.acceptsEncodings("gzip", "identity") === "gzip";
  const all = [...headersAhead(response)];
  for (const name in headers) all.push(name, headers[name] as string);
  all.push("Vary", "Accept-Encoding");
  if (isGzip) all.push("Content-Encoding", "gzip");
  response.writeHead(status, all);
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  try {
    await (isGzip ? pipeline(stream, createGzip(), response) : pipeline(stream, response));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

const retryAfterSeconds = "5";

/** The response to an error; an unexpected error gets a fixed text. */
export function toFaults(error: unknown): readonly [Fault, ...Fault[]] {
  if (error instanceof TrackingError) return error.faults;
  if (error instanceof URIError) {
    return [{ code: "malformed_document", detail: "The address must be percent-encoded UTF-8." }];
  }
  if (isDatabaseUnavailable(error)) {
    return [{ code: "unavailable", detail: "The database is unavailable. Retry after a few seconds." }];
  }
  return [
    { code: "internal", detail: "Internal error. Report the request id in `id` to the operator of the service." },
  ];
}

/** Properties of a refused request, besides its faults, that its response depends on. */
export interface Refused extends ErrorContext {
  readonly accept?: string | undefined;
}

/** `meta.retry_after` in seconds, for what no rate limit of requests counts. */
function retryAfterHeaders([{ meta }]: readonly [Fault, ...Fault[]]): Readonly<Record<string, string>> {
  return typeof meta?.retry_after === "number" ? { "Retry-After": String(meta.retry_after) } : {};
}

/** An error document; like any other it is `application/json` for a client that admits nothing else of ours. */
export function errorResponse(faults: readonly [Fault, ...Fault[]], refused: Refused): HttpResponse {
  const status = statusOf(faults);
  return {
    status,
    headers: {
      "Content-Type": negotiate(refused.accept) ?? jsonApiMediaType,
      "Cache-Control": "no-store",
      ...(status === 401 && { "WWW-Authenticate": "Token" }),
      ...(status === 503 && { "Retry-After": retryAfterSeconds }),
      ...(status === 429 && retryAfterHeaders(faults)),
      // An unread body must not be parsed as the next request.
      ...((status === 413 || status === 415) && { Connection: "close" }),
    },
    body: JSON.stringify(toErrorDocument(faults, refused)),
  };
}
