import { type HttpResponse, headerOf } from "../http-exchange.ts";
import { parseJsonBody } from "../json-body.ts";

/** The events of a body: a bare array, or an object that holds it as `member`. Null when it is neither. */
export function readEvents(body: Uint8Array, member: string): readonly unknown[] | null {
  const value = parseJsonBody(body);
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return null;
  const wrapped = (value as Record<string, unknown>)[member];
  return Array.isArray(wrapped) ? wrapped : null;
}

/**
 * The URL of the next page; null after the last. It must have the carrier's origin, because the request has
 * credentials. A header contains a URL or a bare cursor.
 */
export function nextPageOf(response: HttpResponse, current: URL, headers: readonly string[]): URL | "foreign" | null {
  for (const name of headers) {
    const value = headerOf(response, name)?.trim() ?? "";
    if (value === "") continue;
    const isCursor = name.endsWith("cursor") || !isAddress(value);
    const next = isCursor ? withCursor(current, value) : URL.parse(value, current.href);
    if (next?.origin !== current.origin) return "foreign";
    // Some carriers link the last page to itself.
    return next.href === current.href ? null : next;
  }
  return null;
}

/** Anything else is an opaque cursor; as a relative path it would lead to a page that does not exist. */
function isAddress(value: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|[/?])/i.test(value);
}

function withCursor(current: URL, cursor: string): URL {
  const next = new URL(current);
  next.searchParams.set("cursor", cursor);
  return next;
}

/** The documents of several pages as one. */
export function joined(bodies: readonly Uint8Array[]): Uint8Array {
  const [only] = bodies;
  if (bodies.length === 1 && only) return only;
  const parts = bodies.flatMap((body, index) => [Buffer.from(index === 0 ? "[" : ","), body]);
  return Buffer.concat([...parts, Buffer.from("]")]);
}
