import type { Request, RequestHandler, Response } from "express";
import type { ApiCaller, SignedInCaller } from "../access/api-clients.ts";
import type { FormValues } from "../forms/form-values.ts";

/** Handles requests of anyone. Several run in their order, each but the last passing the request on. */
export type OpenHandler = RequestHandler | readonly RequestHandler[];

/** Handles requests of an authenticated caller, by session or API token. */
export type AccountHandler = (request: Request, response: Response, caller: ApiCaller) => Promise<void>;

/** Shows a page to a signed-in user. */
export type PageHandler = (request: Request, response: Response, caller: SignedInCaller) => Promise<void>;

/** Handles a form that a signed-in user posted from one of our pages. */
export type FormHandler = (
  request: Request,
  response: Response,
  caller: SignedInCaller,
  form: FormValues,
) => Promise<void>;
