import type { Request } from "express";

/** As isSameOrigin, for forms that only a browser sends: every one that is in use says where a form comes from. */
export function isFromOurPages(request: Request, appUrl: string): boolean {
  const saysWhere = request.get("sec-fetch-site") !== undefined || request.get("origin") !== undefined;
  return saysWhere && isSameOrigin(request, appUrl);
}

/**
 * Whether a request that changes something comes from our own pages. Browsers say so in Sec-Fetch-Site, and older ones in
 * Origin; what sends neither is no browser, and holds no cookie that another site could abuse.
 */
export function isSameOrigin(request: Request, appUrl: string): boolean {
  const site = request.get("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const origin = request.get("origin");
  return origin === undefined || origin === new URL(appUrl).origin;
}
