import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { cacheAcceptedTokens } from "../api/accepted-tokens.ts";
import { type Caller, createCaller } from "../api/caller.ts";
import type { RejectToken } from "./invalid-token-limit.ts";
import type { McpRouterOptions } from "./mcp-router-options.ts";
import { isReadOnlyRequest } from "./read-only.ts";
import { reject } from "./send.ts";

/** An HTTP request with its one message. */
export interface HttpExchange {
  readonly request: Request;
  readonly response: Response;
  readonly token: string;
  readonly requestId: string;
  /** Caller for this message alone; nothing of it can reach another. */
  readonly caller: Caller;
  /** Aborted when the client disconnects before the end of the response. */
  readonly disconnected: AbortSignal;
  /** Whether the API accepts the token, cached for a minute. */
  isTokenAccepted(): Promise<boolean>;
  /** Responds that the token is not accepted. `id`: that of the JSON-RPC request. */
  refuseToken(id?: JSONRPCRequest["id"]): void;
}

type OpenExchange = (
  request: Request,
  response: Response,
  token: string,
  traceHeaders: Readonly<Record<string, string>>,
) => HttpExchange;

/** Returns the function that opens exchanges, which share the cache of accepted tokens. */
export function exchangeOpener({ apiBaseUrl, appUrl }: McpRouterOptions, rejectToken: RejectToken): OpenExchange {
  const acceptedTokens = cacheAcceptedTokens();
  return (request, response, token, traceHeaders) => {
    const disconnection = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) disconnection.abort();
    });
    const signal = disconnection.signal;
    const isReadOnly = isReadOnlyRequest(request);
    const caller = createCaller({ apiBaseUrl, appUrl, token, transport: "http", isReadOnly, signal, traceHeaders });
    return {
      request,
      response,
      token,
      caller,
      disconnected: signal,
      requestId: String(response.getHeader("X-Request-Id")),
      isTokenAccepted: () => acceptedTokens.confirm(token, caller),
      refuseToken: (id) => reject(response, rejectToken(request, "rejected"), id),
    };
  };
}
