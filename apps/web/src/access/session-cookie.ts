import { createHash, randomBytes } from "node:crypto";
import type { CookieOptions, Request, Response } from "express";
import { cookieValue } from "../http/cookie-value.ts";

const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;

/** How the cookie of a login is written and read. Only its SHA-256 is stored. */
export interface SessionCookie {
  /** The hash of the value that the browser sent, or null when it sent none. */
  read(request: Request): Buffer | null;
  /** The value itself, by which the API knows the person too (docs/adr/0015); for nothing else. */
  secret(request: Request): string | null;
  /** Gives the browser a new random value; returns its hash. */
  write(response: Response, maxAgeMs: number): Buffer;
  clear(response: Response): void;
}

const hash = (value: string): Buffer => createHash("sha256").update(value).digest();

/**
 * Lax, so that a link in a mail finds the session. Over https the name's prefix makes browsers insist that the cookie is
 * secure and of this host alone.
 */
export function createSessionCookie(appUrl: string): SessionCookie {
  const secure = appUrl.startsWith("https:");
  const name = secure ? "__Host-svc_session" : "svc_session";
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure };
  const secret = (request: Request): string | null => {
    const value = cookieValue(request, name);
    return value !== null && tokenShape.test(value) ? value : null;
  };
  return {
    secret,
    read(request) {
      const value = secret(request);
      return value === null ? null : hash(value);
    },
    write(response, maxAgeMs) {
      const value = randomBytes(tokenBytes).toString("base64url");
      response.cookie(name, value, { ...options, maxAge: maxAgeMs });
      return hash(value);
    },
    clear(response) {
      response.clearCookie(name, options);
    },
  };
}
