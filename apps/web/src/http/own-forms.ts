import express, { type Request, type RequestHandler, type Response } from "express";
import { foreignFormPage } from "../pages/message-page.ts";
import { isFromOurPages } from "./same-origin.ts";
import { sendPage } from "./send-page.ts";

/** Users do not type NUL characters, and PostgreSQL cannot store them in text. */
function refuseNul(_request: unknown, _response: unknown, body: Buffer): void {
  if (body.includes("%00") || body.includes(0)) throw Object.assign(new Error("A form has a NUL."), { status: 400 });
}

/** Reads the fields of a form into `request.body`. `limit` in the format of body-parser: "8kb". */
export const readFields = (limit: string, parameterLimit: number): RequestHandler =>
  express.urlencoded({ extended: false, limit, parameterLimit, verify: refuseNul });

/** Reads forms of our own pages into `request.body`. Forms of other sites are rejected before the body is read. */
export function ownForms(appUrl: string): RequestHandler[] {
  const refuseForeign = (request: Request, response: Response, next: () => void): void => {
    if (isFromOurPages(request, appUrl)) next();
    else sendPage(response, 403, foreignFormPage());
  };
  return [refuseForeign, readFields("128kb", 300)];
}
