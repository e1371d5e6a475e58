import type { IncomingMessage } from "node:http";
import { TrackingError } from "@svc/jsonapi";
import { isSupportedContentType, matchesContentType } from "@svc/jsonapi/http";
import type { BytesDefinition } from "./define-route.ts";
import { InvalidJsonError, parseStrictJson } from "./strict-json.ts";

/** docs/contract/decisions.md 2, Sizes. */
const bodyBytesMax = 1_048_576;

const tooLarge = (maxBytes: number): TrackingError =>
  TrackingError.of("payload_too_large", `The body can have at most ${maxBytes} bytes (${maxBytes / 1_048_576} MiB).`);

const cutOff = (cause: Error): TrackingError =>
  new TrackingError([{ code: "malformed_document", detail: "The request body was cut off before its end." }], {
    cause,
  });

function checkContentType(request: IncomingMessage): void {
  if (isSupportedContentType(request.headers["content-type"])) return;
  throw TrackingError.of(
    "unsupported_media_type",
    "Content-Type must be application/vnd.api+json or application/json, with no parameter but charset=utf-8 or profile.",
    { source: { header: "Content-Type" } },
  );
}

function checkEncoding(request: IncomingMessage): void {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  throw TrackingError.of("unsupported_media_type", "Send the body without Content-Encoding.", {
    source: { header: "Content-Encoding" },
  });
}

/**
 * Returns the body as it was sent. Throws `TrackingError` for one that is too large (413), encoded (415) or cut off
 * (400). Uses events, because async iteration doubles the cost of a small body.
 */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  checkEncoding(request);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      // The rest of a refused body is discarded: the response closes the connection.
      if (length > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // A client disconnect is not a failure of a store, whatever its error code.
    request.on("error", (cause) => reject(cutOff(cause)));
  });
}

/** Whether the body may be larger than any JSON body. */
export function isLarge(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) > bodyBytesMax;
}

/** Whether the request announces a body at all. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

export interface ReadBody {
  readonly bytes: Buffer;
  /** Undefined for a body that is not JSON. */
  readonly json: unknown;
}

/** Throws `TrackingError` (415) for a body that is of none of the media types. */
export function checkBytesType(request: IncomingMessage, { mediaTypes }: BytesDefinition): void {
  if (matchesContentType(request.headers["content-type"], mediaTypes)) return;
  throw TrackingError.of(
    "unsupported_media_type",
    `Content-Type must be ${mediaTypes.join(", ").replace(/, ([^,]*)$/, " or $1")}, with no charset but UTF-8, US-ASCII or ISO-8859-1.`,
    { source: { header: "Content-Type" } },
  );
}

/** Throws `TrackingError` for a body that is too large (413), of another type (415) or not JSON (400). */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  checkContentType(request);
  const bytes = await readBytes(request, bodyBytesMax);
  try {
    return { bytes, json: parseStrictJson(bytes) };
  } catch (error) {
    if (error instanceof InvalidJsonError) throw TrackingError.of("malformed_document", error.message);
    throw error;
  }
}
