import type { Request } from "express";

/** What a proxy in front asks for, such as Basic, is none of it. */
const apiScheme = /^(?:token|bearer)(?: +(.*))?$/i;

/** The API token that a request shows, in one of the API's two schemes; null when it shows none. */
export function apiTokenOf(request: Request): string | null {
  const match = apiScheme.exec(request.get("authorization")?.trim() ?? "");
  return match && (match[1] ?? "");
}
