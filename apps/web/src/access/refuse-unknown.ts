import { TrackingError } from "@svc/jsonapi";
import type { Request, Response } from "express";
import { requestedPath } from "../http/local-path.ts";
import { wantsJson } from "../http/read-request.ts";
import { type Addresses, acceptsMarkdown, sendAgentNote } from "./agent-note.ts";

/**
 * Answers a request without valid credentials: redirects a browser to the login and from there to `next`, answers 401
 * to a program, and shows an AI assistant the API path and MCP tool.
 */
export function refuseUnknown(
  request: Request,
  response: Response,
  addresses: Addresses,
  next: string = requestedPath(request),
): void {
  const status = request.method === "POST" ? 303 : 302;
  if (acceptsMarkdown(request)) sendAgentNote(request, response, addresses);
  else if (!wantsJson(request)) response.redirect(status, `/login?next=${encodeURIComponent(next)}`);
  else throw TrackingError.of("unauthorized", 'Send an API token: "Authorization: Token <API_KEY>".');
}
