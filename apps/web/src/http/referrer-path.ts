import type { Request } from "express";
import { localPath } from "./local-path.ts";

const home = "/shipments";

/** The page that contained the form, from the Referer header; else the home page. */
export function referrerPath(request: Request, appUrl: string): string {
  const referrer = request.get("referer") ?? "";
  return referrer.startsWith(`${appUrl}/`) ? localPath(referrer.slice(appUrl.length), home) : home;
}
