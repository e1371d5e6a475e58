import type { MemberAction } from "@svc/domain/members";
import type { Response } from "express";
import type { AccountHandler, FormHandler, OpenHandler, PageHandler } from "./handler.ts";

interface RouteFlags {
  /** Whether members may use it who still have to set up two-factor authentication. */
  readonly isOpenBeforeSetUp?: boolean;
  /** Streams its response, which the compression of pages would collect. */
  readonly streams?: boolean;
  /** The form has files, of so many bytes altogether. */
  readonly filesBytesMax?: number;
  /** Sends the 405 for other methods in the format of the route. `Allow` is set already. */
  readonly refuseMethod?: OpenHandler;
}

interface RouteDefinition<Method extends string, Access extends string, Handler> extends RouteFlags {
  readonly method: Method;
  /** A pattern of Express. */
  readonly path: string;
  /**
   * Who may use it: `anyone`, an `account` by session or API token, or a signed-in user whose role may do this, whose
   * forms are accepted from our own pages only. A handler for anyone checks itself where a form comes from.
   */
  readonly access: Access;
  readonly handler: Handler;
}

export type Route =
  | RouteDefinition<"GET" | "POST" | "ALL", "anyone", OpenHandler>
  | RouteDefinition<"GET", "account", AccountHandler>
  | RouteDefinition<"GET", MemberAction, PageHandler>
  | RouteDefinition<"POST", MemberAction, FormHandler>;

/** Members who still have to set up two-factor authentication may use it: it concerns the user or the browser only. */
export const beforeSetUp = { isOpenBeforeSetUp: true };

export function get(path: string, access: "anyone", handler: OpenHandler, flags?: RouteFlags): Route;
export function get(path: string, access: "account", handler: AccountHandler, flags?: RouteFlags): Route;
export function get(path: string, access: MemberAction, handler: PageHandler, flags?: RouteFlags): Route;
export function get(path: string, access: string, handler: unknown, flags?: RouteFlags): Route {
  return { method: "GET", path, access, handler, ...flags } as Route;
}

export function post(path: string, access: "anyone", handler: OpenHandler, flags?: RouteFlags): Route;
export function post(path: string, access: MemberAction, handler: FormHandler, flags?: RouteFlags): Route;
export function post(path: string, access: string, handler: unknown, flags?: RouteFlags): Route {
  return { method: "POST", path, access, handler, ...flags } as Route;
}

/** A path whose handler answers every method itself. */
export const all = (path: string, access: "anyone", handler: OpenHandler): Route => ({
  method: "ALL",
  path,
  access,
  handler,
});

/** Handles the address of a page that is elsewhere. */
export const redirectTo = (path: string) => async (_request: unknown, response: Response) =>
  response.redirect(302, path);
