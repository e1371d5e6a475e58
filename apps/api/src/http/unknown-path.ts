import { uuidV7 } from "@svc/persistence";
import type { RequestHandler } from "express";
import { errorResponse, fixedHeaders, headersAhead, sendResponse } from "./send.ts";

/** Responds with a JSON:API document, not Express's page, also outside /v2 (docs/contract/decisions.md 2). */
export function unknownPath(docsUrl: string): RequestHandler {
  return (request, response) => {
    const requestId = uuidV7.next();
    headersAhead(response).push("X-Request-Id", requestId, ...fixedHeaders);
    const detail = `No operation exists at ${request.method} ${request.path.slice(0, 200)}. The API is below /v2, its reference at /docs.`;
    const { accept } = request.headers;
    sendResponse(response, errorResponse([{ code: "not_found", detail }], { requestId, docsUrl, accept }));
  };
}
