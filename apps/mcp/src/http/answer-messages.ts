import { isJSONRPCResponse, type JSONRPCNotification, type JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { rememberAcceptedTokens } from "../api/accepted-tokens.ts";
import { createCaller } from "../api/caller.ts";
import { continueTrace, type TracedMessage } from "../api/trace-context.ts";
import { createDispatcher, type RpcAnswer } from "../protocol/dispatcher.ts";
import { errorCodes, ProtocolError } from "../protocol/protocol-error.ts";
import { listenMethod, type Subscription } from "../subscriptions/subscriptions.ts";
import { protocolErrorOf } from "../tools/tool-error.ts";
import { sendEvent } from "./event-stream.ts";
import type { RejectToken } from "./invalid-token-limit.ts";
import type { McpRouterOptions } from "./mcp-router-options.ts";
import { readMessage } from "./read-message.ts";
import { isReadOnlyRequest } from "./read-only.ts";
import { reject, sendJson } from "./send.ts";
import { hasDeclared, sessionIdFor } from "./session.ts";

const spanNameMax = 100;

/** Refusals that concern the caller become the answer's status; nearly everything else of JSON-RPC travels in a 200. */
function statusOf(answer: RpcAnswer, isModern: boolean): number {
  const code = "error" in answer ? answer.error.code : 0;
  if (code === errorCodes.unauthorized || code === errorCodes.rateLimited) return code;
  if (isModern && code === errorCodes.missingCapability) return 400;
  return isModern && code === errorCodes.methodNotFound ? 404 : 200;
}

function outcomeOf(answer: RpcAnswer): string {
  if ("error" in answer) return String(answer.error.code);
  const failure = answer.result._meta?.["svc/error"] as { code: string } | undefined;
  return failure?.code ?? "ok";
}

/** Answers one message of an admitted request. Rejects for faults of ours only. */
export function answerMessages(options: McpRouterOptions, rejectToken: RejectToken) {
  const acceptedTokens = rememberAcceptedTokens();
  const { surface, logger, subscriptions, tracer } = options;
  const dispatchers = {
    legacy: createDispatcher(surface, logger, "legacy"),
    modern: createDispatcher(surface, logger, "modern"),
  };

  /** Answers when the subscription ends. */
  async function listen(subscription: Subscription): Promise<RpcAnswer> {
    try {
      return await subscriptions.serve(subscription);
    } catch (error) {
      const known = error instanceof ProtocolError ? error : protocolErrorOf(error);
      if (!known || subscription.gone.aborted) throw error;
      const { code, message, data } = known;
      return { jsonrpc: "2.0", id: subscription.request.id, error: { code, message, ...(data && { data }) } };
    }
  }

  type Message = Exclude<ReturnType<typeof readMessage>, { kind: "rejected" }>;

  async function answer(
    request: Request,
    response: Response,
    token: string,
    { message, trace }: { readonly message: Message; readonly trace: TracedMessage },
  ): Promise<void> {
    const startedAt = performance.now();
    const requestId = String(response.getHeader("X-Request-Id"));
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
      appUrl: options.appUrl,
      signal: gone.signal,
      traceHeaders: trace.headers,
    });
    if (message.kind === "notice") {
      if (!(await acceptedTokens.confirm(token, caller))) return reject(response, rejectToken(request, true));
      if (isJSONRPCResponse(message.message)) dispatchers.legacy.takeAnswer(message.message, token);
      // All others are dropped: there is no session whose work a notification could change.
      response.status(202).end();
      return;
    }

    const { request: rpc, era } = message;
    let given: RpcAnswer;
    const exchange = {
      ...{ request: rpc, caller, token, gone: gone.signal },
      async notify(notification: JSONRPCRequest | JSONRPCNotification) {
        // Once something is written the status is fixed, so a token that is refused must be known before.
        if (response.headersSent || (await acceptedTokens.confirm(token, caller))) sendEvent(response, notification);
      },
    };
    const isListening = era === "modern" && rpc.method === listenMethod;
    // A stream may last for days. What ends it also ends its connection, which would otherwise delay a shutdown.
    if (isListening) {
      response.shouldKeepAlive = false;
      if (!(await acceptedTokens.confirm(token, caller))) return reject(response, rejectToken(request, true), rpc.id);
    }
    try {
      given = isListening
        ? await listen(exchange)
        : await dispatchers[era].answer({
            ...exchange,
            ref: requestId,
            canAsk: era === "legacy" && hasDeclared("elicitation", request.get("mcp-session-id")),
            showsViews: era === "legacy" && hasDeclared("views", request.get("mcp-session-id")),
          });
    } catch (error) {
      if (gone.signal.aborted) return;
      throw error;
    }
    const status = statusOf(given, era === "modern");
    if (!response.headersSent) {
      for (const [name, value] of caller.limits) response.setHeader(name, value);
      if (status === 401 || !(await acceptedTokens.confirm(token, caller))) {
        return reject(response, rejectToken(request, true), rpc.id);
      }
      const sessionId = era === "legacy" && status === 200 ? sessionIdFor(rpc) : undefined;
      if (sessionId !== undefined) response.setHeader("Mcp-Session-Id", sessionId);
      const retryAfter = "error" in given ? (given.error.data as { retry_after_s?: number })?.retry_after_s : undefined;
      if (status === 429 && retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
    }
    const bytesOut = response.headersSent ? sendEvent(response, given, "last") : sendJson(response, status, given);
    options.record({
      requestId,
      method: rpc.method,
      tool: rpc.method === "tools/call" ? String(rpc.params?.name) : undefined,
      protocolVersion: request.get("mcp-protocol-version"),
      httpStatus: response.statusCode,
      outcome: outcomeOf(given),
      durationMs: Math.round(performance.now() - startedAt),
      bytesOut,
    });
  }

  return async (request: Request, response: Response, token: string): Promise<void> => {
    const message = readMessage(request);
    if (message.kind === "rejected") return reject(response, message.rejection, message.id);
    const { method, params } = message.kind === "request" ? message.request : { method: "notification" };
    const tool = method === "tools/call" ? String(params?.name) : undefined;
    const name = tool === undefined ? method : `${method} ${tool}`;
    const trace = continueTrace(params?._meta, request.headers, tracer);
    response.once("close", () =>
      // The client chooses the method and the name of the tool.
      trace.span.end(name.slice(0, spanNameMax), {
        failed: response.statusCode >= 500,
        attributes: { "http.response.status_code": response.statusCode },
      }),
    );
    await trace.span.run(() => answer(request, response, token, { message, trace }));
  };
}
