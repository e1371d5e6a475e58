import type { Response } from "express";
import type { Html } from "./html.ts";

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** On every answer. Pages need no script, no frame and nothing of other sites. */
export function setSecurityHeaders(response: Response, appUrl: string): void {
  response.set({
    "Content-Security-Policy": contentSecurityPolicy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    Vary: "Accept, Authorization, Cookie",
  });
  if (appUrl.startsWith("https:")) response.set("Strict-Transport-Security", "max-age=31536000");
}

export function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type("html").send(String(page));
}
