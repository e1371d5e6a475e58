import type { Request } from "express";

/**
 * Whether a form was sent by a page of ours. Unlike `isSameOrigin`, it requires one of the headers that name the
 * origin: all browsers in use send one.
 */
export function isFromOurPages(request: Request, appUrl: string): boolean {
  const hasOriginHeader = request.get("sec-fetch-site") !== undefined || request.get("origin") !== undefined;
  return hasOriginHeader && isSameOrigin(request, appUrl);
}

/**
 * Whether a request that changes something comes from our own pages. Browsers send Sec-Fetch-Site, older ones Origin. A
 * client that sends neither is not a browser and has no cookie that another site could abuse.
 */
export function isSameOrigin(request: Request, appUrl: string): boolean {
  const site = request.get("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const origin = request.get("origin");
  return origin === undefined || origin === new URL(appUrl).origin;
}
