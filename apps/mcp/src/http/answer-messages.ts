import { InitializeRequestSchema, type JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Request, Response } from "express";
import { rememberAcceptedTokens } from "../api/accepted-tokens.ts";
import { createCaller } from "../api/caller.ts";
import { createDispatcher, type RpcAnswer } from "../protocol/dispatcher.ts";
import { errorCodes } from "../protocol/protocol-error.ts";
import {
  asStateless,
  isStateless,
  type ProtocolHeaders,
  statelessAnswer,
  statelessFault,
} from "../protocol/stateless-revision.ts";
import { sendEvent } from "./event-stream.ts";
import type { RejectToken } from "./invalid-token-limit.ts";
import type { McpRouterOptions } from "./mcp-router-options.ts";
import { readMessage } from "./read-message.ts";
import { isReadOnlyRequest } from "./read-only.ts";
import type { Rejection } from "./rejection.ts";
import { reject, sendJson } from "./send.ts";

/** What is wrong with the message itself, by the rules of its revision. */
function faultOf(request: JSONRPCRequest, headers: ProtocolHeaders, stateless: boolean): Rejection | undefined {
  if (stateless) {
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
  if (stateless && code === errorCodes.missingCapability) return 400;
  return stateless && code === errorCodes.methodNotFound ? 404 : 200;
}

function outcomeOf(answer: RpcAnswer): string {
  if ("error" in answer) return String(answer.error.code);
  const failure = answer.result._meta?.["svc/error"] as { code: string } | undefined;
  return failure?.code ?? "ok";
}

/** Answers one message of an admitted request. Rejects for faults of ours only. */
export function answerMessages(options: McpRouterOptions, rejectToken: RejectToken) {
  const acceptedTokens = rememberAcceptedTokens();
  const dispatch = createDispatcher(options.surface, options.logger);

  return async (request: Request, response: Response, token: string): Promise<void> => {
    const startedAt = performance.now();
    const requestId = String(response.getHeader("X-Request-Id"));
    const message = readMessage(request.body as Buffer);
    if (message.kind === "rejected") return reject(response, message.rejection);

    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    // One caller for this message alone; nothing of it can reach another.
    const isReadOnly = isReadOnlyRequest(request);
    const caller = createCaller({
      apiBaseUrl: options.apiBaseUrl,
      token,
      transport: "http",
      isReadOnly,
      signal: gone.signal,
    });
    if (message.kind === "notice") {
      if (!(await acceptedTokens.confirm(token, caller))) return reject(response, rejectToken(request, true));
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
    const stateless = isStateless(rpc, headers);
    const fault = faultOf(rpc, headers, stateless);
    if (fault) return reject(response, fault, rpc.id);
    let answer: RpcAnswer | undefined = stateless ? statelessAnswer(rpc, options.surface) : undefined;
    try {
      answer ??= await dispatch({
        request: rpc,
        caller,
        ref: requestId,
        gone: gone.signal,
        async notify(notification) {
          // Once something is written the status is fixed, so a token that is refused must be known before.
          if (response.headersSent || (await acceptedTokens.confirm(token, caller))) sendEvent(response, notification);
        },
      });
    } catch (error) {
      if (gone.signal.aborted) return;
      throw error;
    }
    const status = statusOf(answer, stateless);
    if (!response.headersSent) {
      for (const [name, value] of caller.limits) response.setHeader(name, value);
      if (status === 401 || !(await acceptedTokens.confirm(token, caller))) {
        return reject(response, rejectToken(request, true), rpc.id);
      }
      const retryAfter =
        "error" in answer ? (answer.error.data as { retry_after_s?: number })?.retry_after_s : undefined;
      if (status === 429 && retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
    }
    const body = stateless ? asStateless(rpc, answer, options.surface, isReadOnly) : answer;
    const bytesOut = response.headersSent ? sendEvent(response, body, "last") : sendJson(response, status, body);
    options.record({
      requestId,
      method: rpc.method,
      tool: rpc.method === "tools/call" ? String(rpc.params?.name) : undefined,
      protocolVersion: headers.version,
      httpStatus: response.statusCode,
      outcome: outcomeOf(answer),
      durationMs: Math.round(performance.now() - startedAt),
      bytesOut,
    });
  };
}
