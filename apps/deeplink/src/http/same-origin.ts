import type { Request } from "express";

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
