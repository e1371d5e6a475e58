import { uuidV7 } from "@svc/persistence";
import type { Response } from "express";

/** Names the request, so that an answer can be found in the log. */
export function setRequestId(response: Response): void {
  response.set("X-Request-Id", uuidV7.next());
}

export function requestIdOf(response: Response): string {
  return String(response.get("X-Request-Id"));
}
