import { randomUUID } from "node:crypto";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import { isAllowedHost, isAllowedOrigin } from "./allowlist.ts";
import { handleMessages } from "./handle-messages.ts";
import { limitInvalidTokens, type RejectToken } from "./invalid-token-limit.ts";
import type { McpRouterOptions } from "./mcp-router-options.ts";
import { protectedResourceRoutes } from "./protected-resource.ts";
import { readOnlyHeader, readOnlyPaths } from "./read-only.ts";
import { type Rejection, rejections } from "./rejection.ts";
import { acceptsResponses, isJson, resolveToken } from "./request-headers.ts";
import { reject, sendJson } from "./send.ts";

/** Maximum size of a body: more than any call of these tools needs. */
const bodyLimitBytes = 256 * 1024;

const requestHeaders = `Content-Type, Authorization, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, ${readOnlyHeader}`;
const exposedHeaders = "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Mcp-Session-Id";

/** Everything about a request that HTTP can judge before its body is read. */
function admission(
  request: Request,
  options: McpRouterOptions,
  rejectToken: RejectToken,
): { token: string } | { rejection: Rejection } {
  if (request.method !== "POST") return { rejection: rejections.method };
  const header = request.headers.authorization;
  const token = resolveToken(header, options.ownToken);
  if (token === undefined) return { rejection: rejectToken(request, header === undefined ? "absent" : "rejected") };
  if (!acceptsResponses(request.headers.accept)) return { rejection: rejections.accept };
  if (!isJson(request.headers["content-type"])) return { rejection: rejections.mediaType };
  return { token };
}

function allowOrigin(response: Response, origin: string | undefined): void {
  response.setHeader("Vary", "Origin");
  if (origin === undefined) return;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", exposedHeaders);
}

function sendPreflight(response: Response): void {
  response.setHeader("Access-Control-Allow-Methods", "POST, OPTIONS");
  response.setHeader("Access-Control-Allow-Headers", requestHeaders);
  response.setHeader("Access-Control-Max-Age", "600");
  response.status(200).end();
}

/**
 * `POST /mcp` and `POST /api/mcp`: Streamable HTTP without sessions (docs/contract/specification.md, Hosted MCP
 * endpoint).
 */
export function mcpRouter(options: McpRouterOptions): RequestHandler {
  const rejectToken = limitInvalidTokens(options);
  const handle = handleMessages(options, rejectToken);

  const guard: RequestHandler = (request, response, next) => {
    response.setHeader("X-Request-Id", randomUUID());
    const { host, origin } = request.headers;
    if (!isAllowedHost(host, options.allowedHosts)) return reject(response, rejections.host);
    if (!isAllowedOrigin(origin, options.allowedOrigins)) return reject(response, rejections.origin);
    allowOrigin(response, origin);
    if (request.method === "OPTIONS") return sendPreflight(response);
    const admitted = admission(request, options, rejectToken);
    if ("rejection" in admitted) return reject(response, admitted.rejection);
    response.locals.token = admitted.token;
    next();
  };

  const failed: ErrorRequestHandler = (error: { status?: number }, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error.status === 413) return reject(response, rejections.size);
    if (error.status === 415) return reject(response, rejections.mediaType);
    if (error.status === 400) return reject(response, rejections.json);
    options.logger.error({ err: error }, "mcp.failed");
    reject(response, rejections.failed);
  };

  const router = Router();
  const endpoint = [
    guard,
    express.raw({ limit: bodyLimitBytes, type: () => true }),
    (request: Request, response: Response) => handle(request, response, String(response.locals.token)),
    failed,
  ];
  if (options.signIn) router.use(protectedResourceRoutes(options.signIn));
  router.all(["/mcp", "/api/mcp", ...readOnlyPaths], endpoint);
  // Clients of the reference service are configured with the bare host.
  router.post("/", endpoint);
  router.use((_request, response) => {
    sendJson(response, 404, { error: "Not found. The MCP endpoint is POST /mcp." });
  });
  return router;
}
