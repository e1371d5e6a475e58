import { AsyncLocalStorage } from "node:async_hooks";
import type { NextFunction, Request, Response } from "express";
import { cookieValue } from "../http/cookie-value.ts";

export const zoneCookie = "svc_times";

/** It is of the request that is answered, as its id is: every time on the page is written in it. */
const zoneOfRequest = new AsyncLocalStorage<string | null>();

/** Whether it names a zone of the IANA database; an offset is none. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The zone in which the reader wants every time, an IANA name; null: each in that of its place. */
export const readerZone = (): string | null => zoneOfRequest.getStore() ?? null;

export const inReaderZone = <Result>(zone: string | null, run: () => Result): Result => zoneOfRequest.run(zone, run);

/** Answers the request in the zone that the reader chose by `POST /times`. */
export function answerInReaderZone(request: Request, _response: Response, next: NextFunction): void {
  const chosen = cookieValue(request, zoneCookie);
  inReaderZone(chosen !== null && isTimeZone(chosen) ? chosen : null, next);
}
