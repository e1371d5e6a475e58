import { isJSONRPCResponse } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { continueTrace } from "../api/trace-context.ts";
import { createDispatcher, type Dispatcher } from "../protocol/dispatcher.ts";
import { exchangeOpener, type HttpExchange } from "./http-exchange.ts";
import type { RejectToken } from "./invalid-token-limit.ts";
import type { McpRouterOptions } from "./mcp-router-options.ts";
import { readMessage } from "./read-message.ts";
import { respondToRequest } from "./respond-to-request.ts";
import { reject } from "./send.ts";

const spanNameMax = 100;

/** Accepts a message without a response of its own: a notification, or the response to an elicitation. */
async function acceptNotification(
  elicited: Pick<Dispatcher, "resolveElicitation">,
  exchange: HttpExchange,
  message: object,
): Promise<void> {
  if (!(await exchange.isTokenAccepted())) return exchange.refuseToken();
  if (isJSONRPCResponse(message)) elicited.resolveElicitation(message, exchange.token);
  // All others are dropped: there is no session whose work a notification could change.
  exchange.response.status(202).end();
}

/** Handles the message of an admitted HTTP request. Rejects for internal errors only. */
export function handleMessages(options: McpRouterOptions, rejectToken: RejectToken) {
  const { surface, logger, subscriptions, record, tracer } = options;
  const openExchange = exchangeOpener(options, rejectToken);
  const dispatchers = {
    legacy: createDispatcher(surface, logger, "legacy"),
    modern: createDispatcher(surface, logger, "modern"),
  };

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
      const exchange = openExchange(request, response, token, trace.headers);
      return message.kind === "notification"
        ? acceptNotification(dispatchers.legacy, exchange, message.message)
        : respondToRequest({ dispatchers, subscriptions, record }, exchange, message);
    });
  };
}
