import { generateSecret, isSecret, sha256 } from "@svc/persistence";
import type { CookieOptions, Request, Response } from "express";
import { cookieValue } from "../http/read-request.ts";

/** Reads and writes a cookie whose value is a secret. Only its SHA-256 is stored. */
export interface SecretCookie {
  /** The hash of the value that the browser sent, or null when it sent none. */
  read(request: Request): Buffer | null;
  /** The value itself. */
  secret(request: Request): string | null;
  /** A new random value, and its hash. */
  issue(): { readonly value: string; readonly sha256: Buffer };
  write(response: Response, value: string, maxAgeMs: number): void;
  clear(response: Response): void;
}

/**
 * SameSite=Lax, so that a link in an email opens with the session. Over https the prefix `__Host-` makes browsers
 * accept the cookie only when it is Secure and bound to this host.
 */
export function createSecretCookie(appUrl: string, plainName: string): SecretCookie {
  const secure = appUrl.startsWith("https:");
  const name = secure ? `__Host-${plainName}` : plainName;
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure };
  const secret = (request: Request): string | null => {
    const value = cookieValue(request, name);
    return value !== null && isSecret(value) ? value : null;
  };
  return {
    secret,
    read(request) {
      const value = secret(request);
      return value === null ? null : sha256(value);
    },
    issue() {
      const value = generateSecret();
      return { value, sha256: sha256(value) };
    },
    write(response, value, maxAgeMs) {
      response.cookie(name, value, { ...options, maxAge: maxAgeMs });
    },
    clear(response) {
      response.clearCookie(name, options);
    },
  };
}
