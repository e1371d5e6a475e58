import { isJSONRPCResponse, type JSONRPCNotification, type JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { rememberAcceptedTokens } from "../api/accepted-tokens.ts";
import { type Caller, createCaller } from "../api/caller.ts";
import { continueTrace, type TracedMessage } from "../api/trace-context.ts";
import { createDispatcher, type RpcAnswer } from "../protocol/dispatcher.ts";
import { errorCodes, ProtocolError } from "../protocol/protocol-error.ts";
import { listenMethod, type Subscription } from "../subscriptions/subscriptions.ts";
import { protocolErrorOf } from "../tools/shared/tool-error.ts";
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

type Message = Exclude<ReturnType<typeof readMessage>, { kind: "rejected" }>;
type RequestMessage = Extract<Message, { kind: "request" }>;

/** An HTTP request with its one message. */
interface HttpExchange {
  readonly request: Request;
  readonly response: Response;
  readonly token: string;
  readonly requestId: string;
  readonly caller: Caller;
  /** Aborted when the client disconnects before the end of the response. */
  readonly disconnected: AbortSignal;
}

const isListen = ({ era, request }: RequestMessage): boolean => era === "modern" && request.method === listenMethod;

/** Handles one message of an admitted request. Rejects for faults of ours only. */
export function answerMessages(options: McpRouterOptions, rejectToken: RejectToken) {
  const acceptedTokens = rememberAcceptedTokens();
  const { surface, logger, subscriptions, tracer } = options;
  const dispatchers = {
    legacy: createDispatcher(surface, logger, "legacy"),
    modern: createDispatcher(surface, logger, "modern"),
  };

  /** Resolves when the subscription ends. */
  async function listen(subscription: Subscription): Promise<RpcAnswer> {
    try {
      return await subscriptions.serve(subscription);
    } catch (error) {
      const known = error instanceof ProtocolError ? error : protocolErrorOf(error);
      if (!known || subscription.disconnected.aborted) throw error;
      const { code, message, data } = known;
      return { jsonrpc: "2.0", id: subscription.request.id, error: { code, message, ...(data && { data }) } };
    }
  }

  /** One caller for this message alone; nothing of it can reach another. */
  function openExchange(request: Request, response: Response, token: string, trace: TracedMessage): HttpExchange {
    const disconnection = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) disconnection.abort();
    });
    const { apiBaseUrl, appUrl } = options;
    const signal = disconnection.signal;
    const isReadOnly = isReadOnlyRequest(request);
    const traceHeaders = trace.headers;
    const caller = createCaller({ apiBaseUrl, appUrl, token, transport: "http", isReadOnly, signal, traceHeaders });
    const requestId = String(response.getHeader("X-Request-Id"));
    return { request, response, token, requestId, caller, disconnected: signal };
  }

  const isTokenAccepted = ({ token, caller }: HttpExchange): Promise<boolean> => acceptedTokens.confirm(token, caller);

  async function takeNotice(exchange: HttpExchange, { message }: Extract<Message, { kind: "notice" }>): Promise<void> {
    const { request, response, token } = exchange;
    if (!(await isTokenAccepted(exchange))) return reject(response, rejectToken(request, true));
    if (isJSONRPCResponse(message)) dispatchers.legacy.takeAnswer(message, token);
    // All others are dropped: there is no session whose work a notification could change.
    response.status(202).end();
  }

  /** Null: the client disconnected before the answer. */
  async function answerOf(exchange: HttpExchange, message: RequestMessage): Promise<RpcAnswer | null> {
    const { request, response, token, caller, disconnected, requestId } = exchange;
    const { request: rpc, era } = message;
    const sessionId = request.get("mcp-session-id");
    const dispatch = {
      ...{ request: rpc, caller, token, disconnected },
      async notify(notification: JSONRPCRequest | JSONRPCNotification) {
        // Once something is written the status is fixed, so a token that is refused must be known before.
        if (response.headersSent || (await isTokenAccepted(exchange))) sendEvent(response, notification);
      },
    };
    try {
      if (isListen(message)) return await listen(dispatch);
      return await dispatchers[era].answer({
        ...dispatch,
        ref: requestId,
        canElicit: era === "legacy" && hasDeclared("elicitation", sessionId),
        showsViews: era === "legacy" && hasDeclared("views", sessionId),
      });
    } catch (error) {
      if (disconnected.aborted) return null;
      throw error;
    }
  }

  /** Headers of an answer that is not a stream. False: its token is refused. */
  async function setHeaders(exchange: HttpExchange, message: RequestMessage, answer: RpcAnswer): Promise<boolean> {
    const { response, caller } = exchange;
    const status = statusOf(answer, message.era === "modern");
    for (const [name, value] of caller.limits) response.setHeader(name, value);
    if (status === 401 || !(await isTokenAccepted(exchange))) return false;
    const sessionId = message.era === "legacy" && status === 200 ? sessionIdFor(message.request) : undefined;
    if (sessionId !== undefined) response.setHeader("Mcp-Session-Id", sessionId);
    const retryAfter = "error" in answer ? (answer.error.data as { retry_after_s?: number })?.retry_after_s : undefined;
    if (status === 429 && retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
    return true;
  }

  async function answerRequest(exchange: HttpExchange, message: RequestMessage): Promise<void> {
    const startedAt = performance.now();
    const { request, response, requestId } = exchange;
    const { request: rpc, era } = message;
    const refuseToken = (): void => reject(response, rejectToken(request, true), rpc.id);
    if (isListen(message)) {
      // A stream may last for days. What ends it also ends its connection, which would otherwise delay a shutdown.
      response.shouldKeepAlive = false;
      if (!(await isTokenAccepted(exchange))) return refuseToken();
    }
    const answer = await answerOf(exchange, message);
    if (!answer) return;
    if (!response.headersSent && !(await setHeaders(exchange, message, answer))) return refuseToken();
    const bytesOut = response.headersSent
      ? sendEvent(response, answer, "last")
      : sendJson(response, statusOf(answer, era === "modern"), answer);
    options.record({
      requestId,
      method: rpc.method,
      tool: rpc.method === "tools/call" ? String(rpc.params?.name) : undefined,
      protocolVersion: request.get("mcp-protocol-version"),
      httpStatus: response.statusCode,
      outcome: outcomeOf(answer),
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
    await trace.span.run(() => {
      const exchange = openExchange(request, response, token, trace);
      return message.kind === "notice" ? takeNotice(exchange, message) : answerRequest(exchange, message);
    });
  };
}
