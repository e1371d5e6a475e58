import type { Request } from "express";

/** A query parameter of the URL; empty when it is absent or repeated. */
export function queryText(request: Request, name: string): string {
  const value = request.query[name];
  return typeof value === "string" ? value : "";
}
