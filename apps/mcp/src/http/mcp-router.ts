import { randomUUID } from "node:crypto";
import {
  InitializeRequestSchema,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import type { Logger } from "@svc/service-kit";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import { type AcceptedTokens, rememberAcceptedTokens } from "../api/accepted-tokens.ts";
import { type Caller, createCaller } from "../api/caller.ts";
import { createMcpServer } from "../protocol/create-mcp-server.ts";
import { exchange, type RpcAnswer } from "../protocol/exchange.ts";
import { errorCodes } from "../protocol/protocol-error.ts";
import { isAllowedHost, isAllowedOrigin } from "./allowlist.ts";
import { tokenOf } from "./authorization.ts";
import type { RecordCall } from "./call-record.ts";
import { acceptsAnswers, isJson } from "./negotiation.ts";
import { readMessage } from "./read-message.ts";
import { type Rejection, rejectionBody, rejections, unauthorized } from "./rejection.ts";

/** More than any call of these tools needs. */
const bodyLimitBytes = 256 * 1024;

const requestHeaders =
  "Content-Type, Authorization, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";
const answerHeaders = "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";

export interface McpRouterOptions {
  readonly apiBaseUrl: string;
  /** Used for a request without Authorization. */
  readonly ownToken: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly logger: Logger;
  readonly record: RecordCall;
}

function sendJson(response: Response, status: number, body: string): void {
  response
    .status(status)
    .setHeader("Content-Type", "application/json")
    .setHeader("Cache-Control", "no-store")
    .end(body);
}

function reject(response: Response, rejection: Rejection, id: string | number | null = null): void {
  for (const [name, value] of Object.entries(rejection.headers ?? {})) response.setHeader(name, value);
  sendJson(response, rejection.status, rejectionBody(rejection, id));
}

/** Everything about a request that HTTP can judge before its body is read. */
function admission(request: Request, options: McpRouterOptions): { token: string } | { rejection: Rejection } {
  if (request.method !== "POST") return { rejection: rejections.method };
  const header = request.headers.authorization;
  const token = tokenOf(header, options.ownToken);
  if (token === undefined) return { rejection: unauthorized(header !== undefined) };
  if (!acceptsAnswers(request.headers.accept)) return { rejection: rejections.accept };
  if (!isJson(request.headers["content-type"])) return { rejection: rejections.mediaType };
  return { token };
}

function versionRejection(version: string | undefined): Rejection | undefined {
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  const supported = SUPPORTED_PROTOCOL_VERSIONS;
  const message = `Unsupported MCP-Protocol-Version. Supported: ${supported.join(", ")}.`;
  return { status: 400, code: errorCodes.invalidRequest, message, data: { supported } };
}

/** The MCP package answers a malformed `initialize` with its own parser's text. */
function parameterRejection(request: JSONRPCRequest): Rejection | undefined {
  if (request.method !== "initialize" || InitializeRequestSchema.safeParse(request).success) return undefined;
  return { status: 200, code: errorCodes.invalidParams, message: "Invalid params: initialize needs protocolVersion." };
}

/** Refusals that concern the caller become the answer's status; everything else of JSON-RPC travels in a 200. */
function statusOf(answer: RpcAnswer): number {
  const code = "error" in answer ? answer.error.code : 0;
  return code === errorCodes.unauthorized || code === errorCodes.rateLimited ? code : 200;
}

function outcomeOf(answer: RpcAnswer): string {
  if ("error" in answer) return String(answer.error.code);
  const failure = answer.result._meta?.["svc/error"] as { code: string } | undefined;
  return failure?.code ?? "ok";
}

async function answerOverHttp(
  request: Request,
  response: Response,
  token: string,
  acceptedTokens: AcceptedTokens,
  options: McpRouterOptions,
): Promise<void> {
  const startedAt = performance.now();
  const requestId = String(response.getHeader("X-Request-Id"));
  const message = readMessage(request.body as Buffer);
  if (message.kind === "rejected") return reject(response, message.rejection);
  const id = message.kind === "request" ? message.request.id : null;
  const protocolVersion = request.get("mcp-protocol-version");
  const refused =
    versionRejection(protocolVersion) ?? (message.kind === "request" ? parameterRejection(message.request) : undefined);
  if (refused) return reject(response, refused, id);

  const gone = new AbortController();
  response.on("close", () => gone.abort());
  // One caller for this message alone; nothing of it can reach another.
  const caller: Caller = createCaller({ ...options, token, transport: "http", signal: gone.signal });

  if (message.kind === "notice") {
    if (!(await acceptedTokens.confirm(token, caller))) return reject(response, unauthorized(true));
    // Dropped: there is no session whose work a notification could change.
    response.status(202).end();
    return;
  }

  const mcp = createMcpServer({ callerOf: () => caller, logger: options.logger, requestId });
  let answer: RpcAnswer;
  try {
    answer = await exchange(mcp, message.request, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  for (const [name, value] of caller.limits) response.setHeader(name, value);
  const status = statusOf(answer);
  if (status === 401 || !(await acceptedTokens.confirm(token, caller))) {
    return reject(response, unauthorized(true), id);
  }
  const retryAfter = "error" in answer ? (answer.error.data as { retry_after_s?: number })?.retry_after_s : undefined;
  if (status === 429 && retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  const body = JSON.stringify(answer);
  sendJson(response, status, body);
  options.record({
    requestId,
    method: message.request.method,
    tool: message.request.method === "tools/call" ? String(message.request.params?.name) : undefined,
    protocolVersion,
    httpStatus: status,
    outcome: outcomeOf(answer),
    durationMs: Math.round(performance.now() - startedAt),
    bytesOut: Buffer.byteLength(body),
  });
}

/** `POST /mcp` and `POST /api/mcp`: Streamable HTTP without sessions (spec: Hosted MCP endpoint). */
export function mcpRouter(options: McpRouterOptions): RequestHandler {
  const acceptedTokens = rememberAcceptedTokens();

  const guard: RequestHandler = (request, response, next) => {
    response.setHeader("X-Request-Id", randomUUID());
    if (!isAllowedHost(request.headers.host, options.allowedHosts)) return reject(response, rejections.host);
    const { origin } = request.headers;
    if (!isAllowedOrigin(origin, options.allowedOrigins)) return reject(response, rejections.origin);
    response.setHeader("Vary", "Origin");
    if (origin !== undefined) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", answerHeaders);
    }
    if (request.method === "OPTIONS") {
      response.setHeader("Access-Control-Allow-Methods", "POST, OPTIONS");
      response.setHeader("Access-Control-Allow-Headers", requestHeaders);
      response.setHeader("Access-Control-Max-Age", "600");
      response.status(200).end();
      return;
    }
    const admitted = admission(request, options);
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
  router.all(
    ["/mcp", "/api/mcp"],
    guard,
    express.raw({ limit: bodyLimitBytes, type: () => true }),
    (request: Request, response: Response) =>
      answerOverHttp(request, response, String(response.locals.token), acceptedTokens, options),
    failed,
  );
  router.use((_request, response) => {
    sendJson(response, 404, JSON.stringify({ error: "Not found. The MCP endpoint is POST /mcp." }));
  });
  return router;
}
