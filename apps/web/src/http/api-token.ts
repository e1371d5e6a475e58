import type { Request } from "express";

/** Other schemes, such as Basic for a reverse proxy, are ignored. */
const apiScheme = /^(?:token|bearer)(?: +(.*))?$/i;

/** The API token of a request, in one of the two schemes of the API; null without one. */
export function apiTokenOf(request: Request): string | null {
  const match = apiScheme.exec(request.get("authorization")?.trim() ?? "");
  return match && (match[1] ?? "");
}
