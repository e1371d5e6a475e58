import type { Response } from "express";
import { preferenceCookie } from "../http/preference-cookie.ts";
import { timeZoneNamed, zoneCookie } from "./reader-zone.ts";

/** Stores the time zone of the reader in a cookie of the browser. Empty: the zone of each place. */
export function saveZone(response: Response, appUrl: string, input: string): void {
  const preference = preferenceCookie(response, appUrl);
  const zone = timeZoneNamed(input);
  if (input === "") preference.clear(zoneCookie);
  else if (zone !== null) preference.write(zoneCookie, zone);
}
