import { EventEmitter, once } from "node:events";
import { statusOf, TrackingError } from "@svc/jsonapi";
import { jsonMediaType } from "@svc/jsonapi/http";
import type { Logger, Tracer } from "@svc/service-kit";
import { type IRoute, type NextFunction, type Request, type Response, Router } from "express";
import type { Registry } from "prom-client";
import { docsAddress } from "../openapi/published-description.ts";
import { staticDocument } from "../openapi/static-document.ts";
import type { Route } from "./define-route.ts";
import { createApiRequestRecorder, type RequestLog } from "./request-log.ts";
import { errorResponse, fixedHeaders, headersAhead, sendResponse, toFaults } from "./send.ts";
import { type ServeOptions, serveRoute } from "./serve-route.ts";

/** Route that is served at one method of a path. */
export interface Mounted {
  readonly method: Route["method"] | "head";
  readonly operationId: string;
  serve(request: Request, response: Response): Promise<void>;
}

export interface RouterOptions extends ServeOptions {
  /** Operations outside the published description, by path. They authenticate their clients themselves. */
  readonly unlisted: Readonly<Record<string, readonly Mounted[]>>;
  /** Version in API-Version and in the OpenAPI document. */
  readonly apiVersion: string;
  /** The OpenAPI document, as it is sent. */
  readonly description: () => string;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly tracer?: Tracer;
}

export interface ApiRouter {
  readonly router: Router;
  /** Resolves once no request is being served. */
  whenIdle(): Promise<void>;
}

/** Serves everything below /v2. Every error is a JSON:API document, and every response carries the request's id. */
export function createRouter(options: RouterOptions): ApiRouter {
  const router = Router({ caseSensitive: true, strict: true });
  const record = createApiRequestRecorder(options);
  const served = new EventEmitter();
  let open = 0;
  router.use((request: Request, response: Response, next: NextFunction) => {
    open++;
    response.once("close", () => {
      open--;
      if (open === 0) served.emit("idle");
    });
    const log = record(request, response);
    response.locals.log = log;
    headersAhead(response).push("X-Request-Id", log.requestId, "API-Version", options.apiVersion, ...fixedHeaders);
    next();
  });
  const descriptionPath: string = "/openapi.json";
  const description = router.route(descriptionPath);
  description.get(staticDocument(options.description, { "Content-Type": jsonMediaType }));
  refuseOtherMethods(description, ["GET"]);
  for (const [path, routes] of Map.groupBy(options.routes, (route) => route.path)) {
    const mounted = routes.map((route) => ({ ...route, serve: serveRoute(route, options) }));
    mountPath(router, path, mounted);
  }
  for (const [path, mounted] of Object.entries(options.unlisted)) mountPath(router, path, mounted);
  router.use((request: Request) => {
    throw TrackingError.of("not_found", `No operation exists at ${request.method} ${request.path.slice(0, 200)}.`);
  });
  const docsUrl = docsAddress(options.services.settings.baseUrl);
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    const faults = toFaults(error);
    const log = response.locals.log as RequestLog;
    if (!(error instanceof TrackingError) && statusOf(faults) >= 500) log.error = error;
    // The response has begun: Express ends the connection, so that the client does not take a part for the whole.
    if (response.headersSent) next(error);
    else
      sendResponse(
        response,
        errorResponse(faults, { requestId: log.requestId, docsUrl, accept: request.headers.accept }),
      );
  });
  return {
    router,
    async whenIdle() {
      if (open > 0) await once(served, "idle");
    },
  };
}

function mountPath(router: Router, path: string, mounted: readonly Mounted[]): void {
  const route = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
  for (const { method, operationId, serve } of mounted) {
    route[method](async (request: Request, response: Response) => {
      const log = response.locals.log as RequestLog;
      log.operation = operationId;
      await log.run(() => serve(request, response));
    });
  }
  refuseOtherMethods(
    route,
    mounted.map(({ method }) => method.toUpperCase()),
  );
}

/** OPTIONS lists the allowed methods; any other method gets 405 with the same list. */
function refuseOtherMethods(mounted: IRoute, methods: readonly string[]): void {
  const allow = ["OPTIONS", ...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].toSorted().join(", ");
  mounted.options((_request: Request, response: Response) => {
    headersAhead(response).push("Allow", allow);
    sendResponse(response, { status: 204, headers: {}, body: "" });
  });
  mounted.all((request: Request, response: Response) => {
    headersAhead(response).push("Allow", allow);
    throw TrackingError.of("method_not_allowed", `Method ${request.method} is not allowed. Allowed methods: ${allow}.`);
  });
}
