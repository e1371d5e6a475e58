import { randomUUID } from "node:crypto";
import type { Response } from "express";

/** Assigns an id to the request, by which a response can be found in the log. */
export function setRequestId(response: Response): void {
  response.set("X-Request-Id", randomUUID());
}

export function requestIdOf(response: Response): string {
  return String(response.get("X-Request-Id"));
}
