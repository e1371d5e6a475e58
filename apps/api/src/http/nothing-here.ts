import { uuidV7 } from "@svc/persistence";
import type { RequestHandler } from "express";
import { errorAnswer, fixedHeaders, headersAhead, sendAnswer } from "./send.ts";

/** Outside the version prefix: JSON:API too, never the page that Express would make (docs/contract/decisions.md 2). */
export function nothingHere(docsUrl: string): RequestHandler {
  return (request, response) => {
    const requestId = uuidV7.next();
    headersAhead(response).push("X-Request-Id", requestId, ...fixedHeaders);
    const detail = `No operation exists at ${request.method} ${request.path.slice(0, 200)}. The API is below /v2, its reference at /docs.`;
    const { accept } = request.headers;
    sendAnswer(response, errorAnswer([{ code: "not_found", detail }], { requestId, docsUrl, accept }));
  };
}
