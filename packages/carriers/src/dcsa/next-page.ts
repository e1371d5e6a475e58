import { type HttpAnswer, headerOf } from "../http-exchange.ts";

/**
 * The page after this one; null after the last. Only the carrier's own origin may follow, because the credentials go along.
 * A header holds an address, or the bare cursor to ask with.
 */
export function nextPageOf(answer: HttpAnswer, current: URL, headers: readonly string[]): URL | "foreign" | null {
  for (const name of headers) {
    const value = headerOf(answer, name)?.trim() ?? "";
    if (value === "") continue;
    const next = name.endsWith("cursor") ? withCursor(current, value) : URL.parse(value, current.href);
    if (next?.origin !== current.origin) return "foreign";
    // Some publishers name the last page as its own successor.
    return next.href === current.href ? null : next;
  }
  return null;
}

function withCursor(current: URL, cursor: string): URL {
  const next = new URL(current);
  next.searchParams.set("cursor", cursor);
  return next;
}
