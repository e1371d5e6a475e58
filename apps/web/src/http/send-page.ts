import type { Html } from "@svc/views";
import type { Response } from "express";
import { permissionsPolicy } from "./permissions-policy.ts";

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Set on every response. Pages load nothing from other sites, run no inline scripts, and cannot be framed. */
export function setSecurityHeaders(response: Response, appUrl: string): void {
  response.set({
    "Content-Security-Policy": contentSecurityPolicy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": permissionsPolicy,
    "Cache-Control": "no-store",
    Vary: "Accept, Authorization, Cookie",
  });
  if (appUrl.startsWith("https:")) response.set("Strict-Transport-Security", "max-age=31536000");
}

/**
 * Browsers also apply form-action to redirects after a form. A form that redirects to another site lists the origin of
 * that site, or its scheme when it has no host.
 */
export function allowFormTarget(response: Response, target: string): void {
  const { protocol, origin } = new URL(target);
  const source = origin === "null" ? protocol : origin;
  const policy = contentSecurityPolicy.replace("form-action 'self'", `form-action 'self' ${source}`);
  response.set("Content-Security-Policy", policy);
}

/**
 * Extends the policy for the page of the map: its library starts a worker of ours by its address, which Trusted Types
 * let pass through the default policy of browser/map only.
 */
export function allowMapScript(response: Response): void {
  const policy = contentSecurityPolicy.replace("trusted-types 'none'", "worker-src 'self'; trusted-types default");
  response.set("Content-Security-Policy", policy);
}

export function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type("html").send(String(page));
}
