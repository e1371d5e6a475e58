import compression from "compression";
import type { Request, RequestHandler } from "express";
import { isUuid } from "./is-uuid.ts";

/**
 * The length of a compressed page tells whether a text in its address stands in the page as well (BREACH). Another site can
 * make a browser ask for any address, though not read the answer: whoever watches the line counts its bytes.
 */
function isAskedByOthersWithText(request: Request): boolean {
  const site = request.get("sec-fetch-site");
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  return !isOwn && Object.values(request.query).some((value) => typeof value !== "string" || !isUuid(value));
}

/**
 * Packs pages by what the browser takes, brotli before gzip. Answers to forms are never packed: tokens, secrets and links of
 * invitations stand there and nowhere else.
 */
export function compressPages(): RequestHandler {
  return compression({
    filter: (request, response) =>
      (request.method === "GET" || request.method === "HEAD") &&
      !isAskedByOthersWithText(request) &&
      compression.filter(request, response),
  });
}
