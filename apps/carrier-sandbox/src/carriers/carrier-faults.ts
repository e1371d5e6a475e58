import type { Request, Response } from "express";
import { z } from "zod";

/** How the server of an imitated carrier misbehaves until it is changed. */
export const CarrierFault = z.enum([
  "none",
  /** A page of HTML with status 200. */
  "html",
  /** An error inside a response with status 200. */
  "error_in_success",
  /** JSON that ends in the middle. */
  "truncated",
  /** Each page of events has a next one. */
  "endless_pages",
  "redirect",
  "server_error",
  /** The credentials are known, but may not read tracking data. */
  "forbidden",
  "token_html",
  "token_redirect",
]);
export type CarrierFault = z.output<typeof CarrierFault>;

const login = "https://login.example/";
const page = "<!doctype html><title>Maintenance</title><p>We will be back soon.</p>";

/** Sends the faulty response instead of events. @returns false: the response is not of this fault. */
export function sendFault(fault: CarrierFault, response: Response): boolean {
  switch (fault) {
    case "html":
      response.type("html").send(page);
      return true;
    case "error_in_success":
      response.json({ error: "The subscription has expired.", events: [] });
      return true;
    case "truncated":
      response.type("json").send('[{"eventID":"3cecb101-7a1a-43a4-9d62');
      return true;
    case "redirect":
      response.redirect(302, login);
      return true;
    case "server_error":
      response.status(500).json({ message: "Internal server error" });
      return true;
    case "forbidden":
      response.status(403).json({ message: "The application is not approved." });
      return true;
    case "none":
    case "endless_pages":
    case "token_html":
    case "token_redirect":
      return false;
  }
}

/** Sends the faulty response of the token endpoint. @returns false: the response is not of this fault. */
export function sendTokenFault(fault: CarrierFault, response: Response): boolean {
  if (fault === "token_html") response.type("html").send(page);
  else if (fault === "token_redirect") response.redirect(302, login);
  return fault === "token_html" || fault === "token_redirect";
}

/** The address of a page that is always there, after the one of the request. */
export function endlessPage(request: Request): string {
  const url = new URL(request.originalUrl, `${request.protocol}://${request.get("host") ?? "localhost"}`);
  url.searchParams.set("cursor", `endless${Number(/\d+$/.exec(url.searchParams.get("cursor") ?? "")?.[0] ?? 0) + 1}`);
  return url.href;
}
