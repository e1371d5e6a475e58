import type { Request } from "express";
import { apiTokenOf } from "./api-token.ts";

/** A program accepts JSON or sends an API token; a browser does neither. */
export function wantsJson(request: Request): boolean {
  return prefersJson(request) || apiTokenOf(request) !== null;
}

/** Whether Accept prefers JSON to HTML. That of a browser does not, nor does a wildcard. */
export function prefersJson(request: Request): boolean {
  const preferred = request.accepts(["text/html", "application/json", "application/vnd.api+json"]);
  return preferred === "application/json" || preferred === "application/vnd.api+json";
}
