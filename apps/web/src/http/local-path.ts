import type { Request } from "express";

const anyOrigin = "http://local.invalid";
/** Twice the length of the longest search URL. URL-encoded in the login URL, it is still within limits of servers. */
const pathLengthMax = 4_000;

/** The requested path, to return to after the login. A reference may contain a backslash. */
export const requestedPath = (request: Request): string => request.originalUrl.replaceAll("\\", "%5C");

/**
 * Validates a redirect target from untrusted input: a path of this application, or `fallback` for anything else. The
 * result always starts with exactly one slash.
 */
export function localPath(target: unknown, fallback: string): string {
  if (typeof target !== "string" || target.length > pathLengthMax || !target.startsWith("/")) return fallback;
  // Browsers read a backslash as a slash and skip tabs and line breaks.
  if (/[\\\p{Cc}]/u.test(target) || !URL.canParse(target, anyOrigin)) return fallback;
  const { origin, pathname, search, hash } = new URL(target, anyOrigin);
  if (origin !== anyOrigin || pathname.startsWith("//")) return fallback;
  return pathname + search + hash;
}
