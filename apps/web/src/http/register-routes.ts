import type { Express, RequestHandler } from "express";
import type { Guards } from "../access/guards.ts";
import type { Handlers } from "../create-handlers.ts";
import type { Route } from "./define-route.ts";
import { sendFaults } from "./send-failure.ts";

/** A route with what Express runs for it. */
interface ServedRoute {
  readonly route: Route;
  readonly run: readonly RequestHandler[];
}

function handlersOf(route: Route, handlers: Handlers, guards: Guards): readonly RequestHandler[] {
  if (route.access === "anyone") return [route.handler(handlers)].flat();
  if (route.access === "account") return [guards.account(route.handler(handlers))];
  if (route.method === "POST") return guards.form(route.access, route.handler(handlers), route);
  const handler = route.handler(handlers);
  return handler ? [guards.page(route.access, handler, route)] : [];
}

/** The routes that this installation has. */
export const servedRoutes = (routes: readonly Route[], handlers: Handlers, guards: Guards): readonly ServedRoute[] =>
  routes.map((route) => ({ route, run: handlersOf(route, handlers, guards) })).filter(({ run }) => run.length > 0);

/** Registers the routes that stream their responses, or the others, in their order. */
export function registerRoutes(
  app: Express,
  served: readonly ServedRoute[],
  { streams }: { readonly streams: boolean },
): void {
  for (const { route, run } of served) {
    if (streams !== (route.streams ?? false)) continue;
    if (route.method === "GET") app.get(route.path, ...run);
    else if (route.method === "POST") app.post(route.path, ...run);
    else app.all(route.path, ...run);
  }
}

/** Answers 405 to the methods that a path does not have. Comes after the routes. */
export function refuseOtherMethods(app: Express, served: readonly ServedRoute[], handlers: Handlers): void {
  const routes = served.map(({ route }) => route).filter(({ method }) => method !== "ALL");
  for (const [path, pathRoutes] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = pathRoutes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
    const own = pathRoutes.flatMap(({ refuseMethod }) => refuseMethod?.(handlers) ?? []);

    const setAllow: RequestHandler = (request, response, next) => {
      // The route passed the request on: there is no such page.
      if (allowed.includes(request.method)) return next("route");
      response.set("Allow", allowed.join(", "));
      next();
    };
    const refuse: RequestHandler = (request, response) => {
      const detail = `Method ${request.method} is not allowed. Allowed methods: ${allowed.join(", ")}.`;
      sendFaults(request, response, [{ code: "method_not_allowed", detail }]);
    };
    app.all(path, setAllow, ...(own.length > 0 ? own : [refuse]));
  }
}
