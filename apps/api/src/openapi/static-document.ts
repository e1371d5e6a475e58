import type { Request, RequestHandler, Response } from "express";
import { entityTag, isNotModified } from "../http/preconditions.ts";
import { sendAnswer } from "../http/send.ts";

/** Serves a text that stays the same while the process runs. */
export function staticDocument(
  body: string,
  headers: Readonly<Record<string, string>> & { readonly "Content-Type": string },
): RequestHandler {
  const tag = entityTag(body);
  const cached = { "Cache-Control": "public, max-age=300", ETag: tag };
  return (request: Request, response: Response) => {
    if (isNotModified(request.headers["if-none-match"], tag)) {
      sendAnswer(response, { status: 304, headers: cached, body: "" });
    } else sendAnswer(response, { status: 200, headers: { ...headers, ...cached }, body });
  };
}
