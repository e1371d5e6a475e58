const anyOrigin = "http://local.invalid";
const longestPath = 2_000;

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
