import express, { type Request, type RequestHandler, type Response } from "express";
import { foreignFormPage } from "../pages/message-page.ts";
import { isFromOurPages } from "./same-origin.ts";
import { sendPage } from "./send-page.ts";

/** Reads forms of our own pages into `request.body`; those of other sites are refused before anything is read. */
export function ownForms(appUrl: string): RequestHandler[] {
  const refuseForeign = (request: Request, response: Response, next: () => void): void => {
    if (isFromOurPages(request, appUrl)) next();
    else sendPage(response, 403, foreignFormPage());
  };
  return [refuseForeign, express.urlencoded({ extended: false, limit: "128kb", parameterLimit: 300 })];
}
