import type { Request } from "express";

/** Value of a cookie as the browser sent it; null without one. */
export function cookieValue(request: Request, name: string): string | null {
  const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
