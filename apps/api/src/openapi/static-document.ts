import type { Request, RequestHandler, Response } from "express";
import { entityTag, isNotModified } from "../http/preconditions.ts";
import { sendResponse } from "../http/send.ts";

/** Serves a text that stays the same while the process runs. It is written on the first request. */
export function staticDocument(
  write: () => string,
  headers: Readonly<Record<string, string>> & { readonly "Content-Type": string },
): RequestHandler {
  let written: { readonly body: string; readonly tag: string } | undefined;
  const read = () => {
    const body = write();
    return { body, tag: entityTag(body) };
  };
  return (request: Request, response: Response) => {
    written ??= read();
    const { body, tag } = written;
    const cached = { "Cache-Control": "public, max-age=300", ETag: tag };
    if (isNotModified(request.headers["if-none-match"], tag)) {
      sendResponse(response, { status: 304, headers: cached, body: "" });
    } else sendResponse(response, { status: 200, headers: { ...headers, ...cached }, body });
  };
}
