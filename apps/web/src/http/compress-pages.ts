import { isUuid } from "@svc/domain/identifiers";
import compression from "compression";
import type { Request, RequestHandler } from "express";

/**
 * The length of a compressed page reveals whether a text in its URL is also in the page (BREACH). Another site can make
 * a browser request any URL, and an attacker on the network can count the bytes of the response.
 */
function isCrossSiteWithText(request: Request): boolean {
  const site = request.get("sec-fetch-site");
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  return !isOwn && Object.values(request.query).some((value) => typeof value !== "string" || !isUuid(value));
}

/**
 * Compresses pages with an encoding that the browser accepts, brotli before gzip. Responses to forms are never
 * compressed, because only they contain tokens, secrets and invitation links.
 */
export function compressPages(): RequestHandler {
  return compression({
    filter: (request, response) =>
      (request.method === "GET" || request.method === "HEAD") &&
      !isCrossSiteWithText(request) &&
      compression.filter(request, response),
  });
}
