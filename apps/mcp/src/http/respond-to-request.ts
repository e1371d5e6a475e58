import type { JSONRPCNotification, JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Dispatcher, RpcResponse } from "../protocol/dispatcher.ts";
import { errorCodes, ProtocolError } from "../protocol/protocol-error.ts";
import { listenMethod, type Subscription, type Subscriptions } from "../subscriptions/subscriptions.ts";
import { toProtocolError } from "../tools/shared/tool-error.ts";
import type { RecordCall } from "./call-record.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { Era, ReadMessage } from "./read-message.ts";
import { sendJson } from "./send.ts";
import { sendEvent } from "./send-event.ts";
import { hasDeclared, sessionIdFor } from "./session.ts";

type RequestMessage = Extract<ReadMessage, { kind: "request" }>;

export interface RequestServices {
  readonly dispatchers: Readonly<Record<Era, Dispatcher>>;
  readonly subscriptions: Subscriptions;
  readonly record: RecordCall;
}

/** Refusals that concern the caller become the HTTP status; nearly everything else of JSON-RPC travels in a 200. */
function statusOf(response: RpcResponse, era: Era): number {
  const code = "error" in response ? response.error.code : 0;
  if (code === errorCodes.unauthorized || code === errorCodes.rateLimited) return code;
  if (era === "modern" && code === errorCodes.missingCapability) return 400;
  return era === "modern" && code === errorCodes.methodNotFound ? 404 : 200;
}

function outcomeOf(response: RpcResponse): string {
  if ("error" in response) return String(response.error.code);
  const failure = response.result._meta?.["svc/error"] as { code: string } | undefined;
  return failure?.code ?? "ok";
}

const isListen = ({ era, request }: RequestMessage): boolean => era === "modern" && request.method === listenMethod;

/** Resolves when the subscription ends. */
async function listen(subscriptions: Subscriptions, subscription: Subscription): Promise<RpcResponse> {
  try {
    return await subscriptions.serve(subscription);
  } catch (error) {
    const known = error instanceof ProtocolError ? error : toProtocolError(error);
    if (!known || subscription.disconnected.aborted) throw error;
    const { code, message, data } = known;
    return { jsonrpc: "2.0", id: subscription.request.id, error: { code, message, ...(data && { data }) } };
  }
}

/** Runs the request. Null: the client disconnected before its result. */
async function runRequest(
  { dispatchers, subscriptions }: RequestServices,
  exchange: HttpExchange,
  message: RequestMessage,
): Promise<RpcResponse | null> {
  const { request, response, token, caller, disconnected, requestId } = exchange;
  const { request: rpc, era } = message;
  const sessionId = request.get("mcp-session-id");
  const dispatch = {
    request: rpc,
    caller,
    token,
    disconnected,
    async notify(notification: JSONRPCRequest | JSONRPCNotification) {
      // Once something is written the status is fixed, so a token that is refused must be known before.
      if (response.headersSent || (await exchange.isTokenAccepted())) sendEvent(response, notification);
    },
  };
  try {
    if (isListen(message)) return await listen(subscriptions, dispatch);
    return await dispatchers[era].handle({
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

/** Sets the headers of a response that is not a stream. False: its token is refused. */
async function setHeaders(exchange: HttpExchange, message: RequestMessage, result: RpcResponse): Promise<boolean> {
  const { response, caller } = exchange;
  const status = statusOf(result, message.era);
  for (const [name, value] of caller.limits) response.setHeader(name, value);
  if (status === 401 || !(await exchange.isTokenAccepted())) return false;
  const sessionId = message.era === "legacy" && status === 200 ? sessionIdFor(message.request) : undefined;
  if (sessionId !== undefined) response.setHeader("Mcp-Session-Id", sessionId);
  const retryAfter = "error" in result ? (result.error.data as { retry_after_s?: number })?.retry_after_s : undefined;
  if (status === 429 && retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  return true;
}

/** Runs a JSON-RPC request, sends its response and records the call. */
export async function respondToRequest(
  services: RequestServices,
  exchange: HttpExchange,
  message: RequestMessage,
): Promise<void> {
  const startedAt = performance.now();
  const { request, response, requestId } = exchange;
  const { request: rpc, era } = message;
  if (isListen(message)) {
    // A stream may last for days. What ends it also ends its connection, which would otherwise delay a shutdown.
    response.shouldKeepAlive = false;
    if (!(await exchange.isTokenAccepted())) return exchange.refuseToken(rpc.id);
  }
  const result = await runRequest(services, exchange, message);
  if (!result) return;
  if (!response.headersSent && !(await setHeaders(exchange, message, result))) return exchange.refuseToken(rpc.id);
  const bytesOut = response.headersSent
    ? sendEvent(response, result, "last")
    : sendJson(response, statusOf(result, era), result);
  services.record({
    requestId,
    method: rpc.method,
    tool: rpc.method === "tools/call" ? String(rpc.params?.name) : undefined,
    protocolVersion: request.get("mcp-protocol-version"),
    httpStatus: response.statusCode,
    outcome: outcomeOf(result),
    durationMs: Math.round(performance.now() - startedAt),
    bytesOut,
  });
}
