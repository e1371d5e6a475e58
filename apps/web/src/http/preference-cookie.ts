import type { CookieOptions, Response } from "express";

const yearMs = 365 * 86_400_000;

/** Cookies that hold how a reader wants to see the pages, for a year. */
export function preferenceCookie(response: Response, appUrl: string) {
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", path: "/", secure: appUrl.startsWith("https:") };
  return {
    /** The value is not encoded: it contains only characters that a cookie allows. */
    write: (name: string, value: string) =>
      void response.cookie(name, value, { ...options, maxAge: yearMs, encode: String }),
    clear: (name: string) => void response.clearCookie(name, options),
  };
}
