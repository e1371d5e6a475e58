import { AsyncLocalStorage } from "node:async_hooks";
import type { NextFunction, Request, Response } from "express";
import { cookieValue } from "../http/cookie-value.ts";

export const zoneCookie = "svc_times";

/** It is of the request that is answered, as its id is: every time on the page is written in it. */
const zoneOfRequest = new AsyncLocalStorage<string | null>();

/** Finding out takes longer than all else that a short answer needs, and the same few names come with every request. */
const named = new Map<string, string | null>();
const namedAtMost = 1_000;

/**
 * The zone of the IANA database that a text names, written in the one way of all that there are; null for none, such as an offset.
 * Formats are kept by zone, and a name has thousands of spellings in upper and lower case.
 */
export function timeZoneNamed(text: string): string | null {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return null;
  const known = named.get(text);
  if (known !== undefined) return known;
  const zone = lookUp(text);
  if (named.size >= namedAtMost) named.clear();
  named.set(text, zone);
  return zone;
}

function lookUp(text: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The zone in which the reader wants every time, an IANA name; null: each in that of its place. */
export const readerZone = (): string | null => zoneOfRequest.getStore() ?? null;

export const inReaderZone = <Result>(zone: string | null, run: () => Result): Result => zoneOfRequest.run(zone, run);

/** Answers the request in the zone that the reader chose by `POST /times`. */
export function answerInReaderZone(request: Request, _response: Response, next: NextFunction): void {
  const chosen = cookieValue(request, zoneCookie);
  inReaderZone(chosen === null ? null : timeZoneNamed(chosen), next);
}
