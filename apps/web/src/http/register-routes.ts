import type { Express, RequestHandler } from "express";
import type { Guards } from "../access/guards.ts";
import type { Route } from "./define-route.ts";
import { sendFaults } from "./send-failure.ts";

/** What Express runs for a route. */
function guardedHandlers(route: Route, guards: Guards): readonly RequestHandler[] {
  if (route.access === "anyone") return [route.handler].flat();
  if (route.access === "account") return [guards.account(route.handler)];
  if (route.method === "POST") return guards.form(route.access, route.handler, route);
  return [guards.page(route.access, route.handler, route)];
}

/** Registers the routes in their order. */
export function registerRoutes(app: Express, routes: readonly Route[], guards: Guards): void {
  for (const route of routes) {
    const handlers = guardedHandlers(route, guards);
    if (route.method === "GET") app.get(route.path, ...handlers);
    else if (route.method === "POST") app.post(route.path, ...handlers);
    else app.all(route.path, ...handlers);
  }
}

/** Answers 405 to the methods that a path does not have. Comes after the routes. */
export function refuseOtherMethods(app: Express, routes: readonly Route[]): void {
  const limited = routes.filter(({ method }) => method !== "ALL");
  for (const [path, pathRoutes] of Map.groupBy(limited, (route) => route.path)) {
    const allowed = pathRoutes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
    const own = pathRoutes.flatMap(({ refuseMethod }) => refuseMethod ?? []);

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
