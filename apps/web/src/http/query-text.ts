import type { Request } from "express";

/** A parameter of the address; empty when it is absent or given more than once. */
export function queryText(request: Request, name: string): string {
  const value = request.query[name];
  return typeof value === "string" ? value : "";
}
