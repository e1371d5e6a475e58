import type { Request } from "express";

/** Other schemes, such as Basic for a reverse proxy, are ignored. */
const apiScheme = /^(?:token|bearer)(?: +(.*))?$/i;

/** The API token of a request, in one of the two schemes of the API; null without one. */
export function apiTokenOf(request: Request): string | null {
  const match = apiScheme.exec(request.get("authorization")?.trim() ?? "");
  return match && (match[1] ?? "");
}

/** Value of a cookie as the browser sent it; null without one. */
export function cookieValue(request: Request, name: string): string | null {
  const pairs = (request.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** The id in the path of a request, as it was sent. */
export const pathId = (request: Request): string => String(request.params.id);

/** A query parameter of the URL; empty when it is absent or repeated. */
export function queryText(request: Request, name: string): string {
  const value = request.query[name];
  return typeof value === "string" ? value : "";
}

/** A program accepts JSON or sends an API token; a browser does neither. */
export function wantsJson(request: Request): boolean {
  return prefersJson(request) || apiTokenOf(request) !== null;
}

/** Whether Accept prefers JSON to HTML. That of a browser does not, nor does a wildcard. */
export function prefersJson(request: Request): boolean {
  const preferred = request.accepts(["text/html", "application/json", "application/vnd.api+json"]);
  return preferred === "application/json" || preferred === "application/vnd.api+json";
}
