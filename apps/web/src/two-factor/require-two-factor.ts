import { TrackingError } from "@svc/jsonapi";
import type { Request, Response } from "express";
import type { Caller } from "../access/callers.ts";
import { wantsJson } from "../http/read-request.ts";

const setUpPath = "/account/two-factor";

/**
 * Leads a member to the set-up of two-factor authentication when the account requires it and the member has none.
 * @returns whether the request is answered.
 */
export function leadsToSetUp(request: Request, response: Response, { user }: Caller): boolean {
  if (user?.twoFactor !== "missing") return false;
  if (wantsJson(request)) {
    throw TrackingError.of("forbidden", `The account requires two-factor authentication. Set it up at ${setUpPath}.`);
  }
  response.redirect(request.method === "POST" ? 303 : 302, setUpPath);
  return true;
}
