import { InitializeRequestSchema, type JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Request, Response } from "express";
import type { AcceptedTokens } from "../api/accepted-tokens.ts";
import { type Caller, createCaller } from "../api/caller.ts";
import { createMcpServer } from "../protocol/create-mcp-server.ts";
import { exchange, type RpcAnswer } from "../protocol/exchange.ts";
import { errorCodes } from "../protocol/protocol-error.ts";
import {
  asStateless,
  isStateless,
  type ProtocolHeaders,
  statelessAnswer,
  statelessFault,
} from "../protocol/stateless-revision.ts";
import type { McpRouterOptions } from "./mcp-router-options.ts";
import { readMessage } from "./read-message.ts";
import { type Rejection, unauthorized } from "./rejection.ts";
import { reject, sendJson } from "./send.ts";

/** What is wrong with the message itself, by the rules of its revision. */
function faultOf(request: JSONRPCRequest, headers: ProtocolHeaders): Rejection | undefined {
  if (isStateless(request, headers)) {
    const fault = statelessFault(request, headers);
    return fault && { status: 400, code: fault.code, message: fault.message, ...(fault.data && { data: fault.data }) };
  }
  // The MCP package answers a malformed `initialize` with its own parser's text.
  if (request.method !== "initialize" || InitializeRequestSchema.safeParse(request).success) return undefined;
  const message = "Invalid params: initialize needs protocolVersion, capabilities and clientInfo.";
  return { status: 200, code: errorCodes.invalidParams, message };
}

/** Refusals that concern the caller become the answer's status; nearly everything else of JSON-RPC travels in a 200. */
function statusOf(answer: RpcAnswer, stateless: boolean): number {
  const code = "error" in answer ? answer.error.code : 0;
  if (code === errorCodes.unauthorized || code === errorCodes.rateLimited) return code;
  return stateless && code === errorCodes.methodNotFound ? 404 : 200;
}

function outcomeOf(answer: RpcAnswer): string {
  if ("error" in answer) return String(answer.error.code);
  const failure = answer.result._meta?.["svc/error"] as { code: string } | undefined;
  return failure?.code ?? "ok";
}

function answerTo(
  request: JSONRPCRequest,
  caller: Caller,
  { logger }: McpRouterOptions,
  requestId: string,
  gone: AbortSignal,
): Promise<RpcAnswer> {
  return exchange(createMcpServer({ callerOf: () => caller, logger, requestId }), request, gone);
}

/** Answers one message of an admitted request. Rejects for faults of ours only. */
export async function answerMessage(
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

  const gone = new AbortController();
  response.on("close", () => gone.abort());
  // One caller for this message alone; nothing of it can reach another.
  const caller = createCaller({ apiBaseUrl: options.apiBaseUrl, token, transport: "http", signal: gone.signal });
  if (message.kind === "notice") {
    if (!(await acceptedTokens.confirm(token, caller))) return reject(response, unauthorized(true));
    // Dropped: there is no session whose work a notification could change.
    response.status(202).end();
    return;
  }

  const rpc = message.request;
  const headers = {
    version: request.get("mcp-protocol-version"),
    method: request.get("mcp-method"),
    name: request.get("mcp-name"),
  };
  const fault = faultOf(rpc, headers);
  if (fault) return reject(response, fault, rpc.id);
  const stateless = isStateless(rpc, headers);
  let answer: RpcAnswer;
  try {
    answer =
      (stateless ? statelessAnswer(rpc) : undefined) ?? (await answerTo(rpc, caller, options, requestId, gone.signal));
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  for (const [name, value] of caller.limits) response.setHeader(name, value);
  const status = statusOf(answer, stateless);
  if (status === 401 || !(await acceptedTokens.confirm(token, caller))) {
    return reject(response, unauthorized(true), rpc.id);
  }
  const retryAfter = "error" in answer ? (answer.error.data as { retry_after_s?: number })?.retry_after_s : undefined;
  if (status === 429 && retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  const body = JSON.stringify(stateless ? asStateless(rpc, answer) : answer);
  sendJson(response, status, body);
  options.record({
    requestId,
    method: rpc.method,
    tool: rpc.method === "tools/call" ? String(rpc.params?.name) : undefined,
    protocolVersion: headers.version,
    httpStatus: status,
    outcome: outcomeOf(answer),
    durationMs: Math.round(performance.now() - startedAt),
    bytesOut: Buffer.byteLength(body),
  });
}
