import { uuidV7 } from "@svc/persistence";
import type { Request, Response } from "express";
import { errorAnswer, headersAhead, sendAnswer } from "./send.ts";

/** Outside the version prefix: JSON:API too, never the page that Express would make (contract-decisions.md 2). */
export function nothingHere(request: Request, response: Response): void {
  const requestId = uuidV7.next();
  headersAhead(response).push("X-Request-Id", requestId, "X-Content-Type-Options", "nosniff");
  const detail = `There is nothing at ${request.method} ${request.path.slice(0, 200)}. The API is below /v2, its reference at /docs.`;
  sendAnswer(response, errorAnswer([{ code: "not_found", detail }], requestId));
}
