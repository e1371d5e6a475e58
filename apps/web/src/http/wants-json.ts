import type { Request } from "express";
import { apiTokenOf } from "./api-token.ts";

/** A program asks for JSON by Accept, or shows an API token; a browser does neither. */
export function wantsJson(request: Request): boolean {
  return prefersJson(request) || apiTokenOf(request) !== null;
}

/** Accept ranks JSON above HTML. A browser's does not, nor does one that takes anything. */
export function prefersJson(request: Request): boolean {
  const preferred = request.accepts(["text/html", "application/json", "application/vnd.api+json"]);
  return preferred === "application/json" || preferred === "application/vnd.api+json";
}
