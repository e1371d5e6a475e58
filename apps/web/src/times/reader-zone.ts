import { AsyncLocalStorage } from "node:async_hooks";
import { setReaderZone } from "@svc/views";
import type { NextFunction, Request, Response } from "express";
import { cookieValue } from "../http/read-request.ts";

export const zoneCookie = "svc_times";

/** The zone of the current request: all times on the page are formatted in it. */
const requestZone = new AsyncLocalStorage<string | null>();

/** Caches validated names, because validation is slow and requests repeat the same few names. */
const named = new Map<string, string | null>();
const namedMax = 1_000;

/**
 * The canonical name of an IANA time zone; null for any other text, such as an offset. One spelling per zone keeps the
 * cache of date formats small, because names are not case-sensitive.
 */
export function timeZoneNamed(text: string): string | null {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return null;
  const known = named.get(text);
  if (known !== undefined) return known;
  const zone = canonicalZone(text);
  if (named.size >= namedMax) named.clear();
  named.set(text, zone);
  return zone;
}

function canonicalZone(text: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The IANA time zone that the reader chose; null: each time in the zone of its place. */
export const readerZone = (): string | null => requestZone.getStore() ?? null;
setReaderZone(readerZone);

export const inReaderZone = <Result>(zone: string | null, run: () => Result): Result => requestZone.run(zone, run);

/** Handles the request in the zone that the reader chose with `POST /times`. */
export function withReaderZone(request: Request, _response: Response, next: NextFunction): void {
  const chosen = cookieValue(request, zoneCookie);
  inReaderZone(chosen === null ? null : timeZoneNamed(chosen), next);
}
