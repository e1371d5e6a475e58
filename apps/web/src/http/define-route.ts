import type { MemberAction } from "@svc/domain/members";
import type { Handlers } from "../create-handlers.ts";
import type { AccountHandler, FormHandler, OpenHandler, PageHandler } from "./handler.ts";

type HandlerSelector<Handler> = (handlers: Handlers) => Handler;

interface RouteFlags {
  /** Whether members may use it who still have to set up two-factor authentication. */
  readonly isOpenBeforeSetUp?: boolean;
  /** Streams its response, which the compression of pages would collect. */
  readonly streams?: boolean;
  /** The form has files, of so many bytes altogether. */
  readonly filesBytesMax?: number;
  /** Sends the 405 for other methods in the format of the route. `Allow` is set already. */
  readonly refuseMethod?: HandlerSelector<OpenHandler>;
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
  /** Undefined: this installation does not have the page. */
  readonly handler: HandlerSelector<Handler>;
}

export type Route =
  | RouteDefinition<"GET" | "POST" | "ALL", "anyone", OpenHandler>
  | RouteDefinition<"GET", "account", AccountHandler>
  | RouteDefinition<"GET", MemberAction, PageHandler | undefined>
  | RouteDefinition<"POST", MemberAction, FormHandler>;

export function get(path: string, access: "anyone", handler: HandlerSelector<OpenHandler>, flags?: RouteFlags): Route;
export function get(
  path: string,
  access: "account",
  handler: HandlerSelector<AccountHandler>,
  flags?: RouteFlags,
): Route;
export function get(
  path: string,
  access: MemberAction,
  handler: HandlerSelector<PageHandler | undefined>,
  flags?: RouteFlags,
): Route;
export function get(path: string, access: string, handler: HandlerSelector<unknown>, flags?: RouteFlags): Route {
  return { method: "GET", path, access, handler, ...flags } as Route;
}

export function post(path: string, access: "anyone", handler: HandlerSelector<OpenHandler>, flags?: RouteFlags): Route;
export function post(
  path: string,
  access: MemberAction,
  handler: HandlerSelector<FormHandler>,
  flags?: RouteFlags,
): Route;
export function post(path: string, access: string, handler: HandlerSelector<unknown>, flags?: RouteFlags): Route {
  return { method: "POST", path, access, handler, ...flags } as Route;
}

/** A path whose handler answers every method itself. */
export const all = (path: string, access: "anyone", handler: HandlerSelector<OpenHandler>): Route => ({
  method: "ALL",
  path,
  access,
  handler,
});
