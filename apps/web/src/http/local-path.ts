import type { Request } from "express";

const anyOrigin = "http://local.invalid";
/** Twice as long as the longest search makes it, and encoded once more in the login's address still short enough for servers. */
const longestPath = 4_000;

/** The address that was asked for, to come back to after the login. A reference may hold a backslash. */
export const askedPath = (request: Request): string => request.originalUrl.replaceAll("\\", "%5C");

/**
 * A path of this application to go on to, as it came from outside; `fallback` for anything that leads elsewhere. The result
 * always begins with exactly one slash.
 */
export function localPath(given: unknown, fallback: string): string {
  if (typeof given !== "string" || given.length > longestPath || !given.startsWith("/")) return fallback;
  // Browsers read a backslash as a slash and skip tabs and line breaks.
  if (/[\\\p{Cc}]/u.test(given) || !URL.canParse(given, anyOrigin)) return fallback;
  const { origin, pathname, search, hash } = new URL(given, anyOrigin);
  if (origin !== anyOrigin || pathname.startsWith("//")) return fallback;
  return pathname + search + hash;
}
