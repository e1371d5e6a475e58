import { TrackingError } from "@svc/domain";
import type { Request, Response } from "express";
import { askedPath } from "../http/local-path.ts";
import { wantsJson } from "../http/wants-json.ts";
import { type Addresses, asksForMarkdown, sendAgentNote } from "./agent-note.ts";

/**
 * Answers who is not known: a person is sent to the login and from there to `next`, a program is told to show a token, an
 * assistant where to ask.
 */
export function refuseUnknown(
  request: Request,
  response: Response,
  addresses: Addresses,
  next: string = askedPath(request),
): void {
  const status = request.method === "POST" ? 303 : 302;
  if (asksForMarkdown(request)) sendAgentNote(request, response, addresses);
  else if (!wantsJson(request)) response.redirect(status, `/login?next=${encodeURIComponent(next)}`);
  else throw TrackingError.of("unauthorized", 'Send an API token: "Authorization: Token <API_KEY>".');
}
