import { type HttpAnswer, headerOf } from "../http-exchange.ts";

/**
 * The page after this one; null after the last. Only the carrier's own origin may follow, because the credentials go along.
 * A header holds an address, or the bare cursor to ask with.
 */
export function nextPageOf(answer: HttpAnswer, current: URL, headers: readonly string[]): URL | "foreign" | null {
  for (const name of headers) {
    const value = headerOf(answer, name)?.trim() ?? "";
    if (value === "") continue;
    const isCursor = name.endsWith("cursor") || !isAddress(value);
    const next = isCursor ? withCursor(current, value) : URL.parse(value, current.href);
    if (next?.origin !== current.origin) return "foreign";
    // Some publishers name the last page as its own successor.
    return next.href === current.href ? null : next;
  }
  return null;
}

/** An opaque cursor may hold any other character; read as a relative path it would lead to a page that does not exist. */
function isAddress(value: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|[/?])/i.test(value);
}

function withCursor(current: URL, cursor: string): URL {
  const next = new URL(current);
  next.searchParams.set("cursor", cursor);
  return next;
}
