import type { IncomingMessage } from "node:http";
import { TrackingError } from "@svc/domain";
import { isSupportedContentType } from "@svc/jsonapi";
import { JsonProblem, parseStrictJson } from "./strict-json.ts";

/** contract-decisions.md 2, Sizes. */
const maxBodyBytes = 1_048_576;

const tooLarge = (): TrackingError =>
  TrackingError.of("payload_too_large", `The body can have at most ${maxBodyBytes} bytes (1 MiB).`);

const cutOff = (cause: Error): TrackingError =>
  new TrackingError([{ code: "malformed_document", detail: "The body did not arrive whole." }], { cause });

function checkHeaders(request: IncomingMessage): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw TrackingError.of("unsupported_media_type", "Send the body without Content-Encoding.", {
      source: { header: "Content-Encoding" },
    });
  }
  if (!isSupportedContentType(request.headers["content-type"])) {
    throw TrackingError.of(
      "unsupported_media_type",
      "Content-Type must be application/vnd.api+json (with no parameter but profile) or application/json.",
      { source: { header: "Content-Type" } },
    );
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
}

/** By its events: to iterate over the request costs as much as all else that reading a small body takes. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      // What still comes of a body that is refused is let go: the answer closes the connection.
      if (length > maxBodyBytes) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // The client went away. Whatever code Node gives the error, it is none of a store of ours.
    request.on("error", (cause) => reject(cutOff(cause)));
  });
}

/** Whether the request announces a body at all. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

export interface ReadBody {
  readonly bytes: Buffer;
  readonly json: unknown;
}

/** Throws `TrackingError` for a body that is too large (413), of another type (415) or not JSON (400). */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  checkHeaders(request);
  const bytes = await readBytes(request);
  try {
    return { bytes, json: parseStrictJson(bytes) };
  } catch (error) {
    if (error instanceof JsonProblem) throw TrackingError.of("malformed_document", error.message);
    throw error;
  }
}
