import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCRequest,
  type Transport,
} from "@modelcontextprotocol/server";
import { type Logger, throttleByCause } from "@svc/service-kit";
import type { Caller } from "../api/caller.ts";
import { findWatchedResources, listenMethod, logPeriodMs, pollEveryMs, updatedNotification } from "./subscriptions.ts";
import { watchAccount } from "./watch-account.ts";

export interface StdioSubscriptionsOptions {
  readonly transport: Transport;
  readonly logger: Logger;
  callerOf(signal: AbortSignal): Caller;
}

/**
 * Sends the updates of subscriptions over stdin and stdout, where the MCP package acknowledges subscriptions itself and
 * drops notifications that belong to none. Call it when the transport is connected.
 */
export function serveStdioSubscriptions({ transport, logger, callerOf }: StdioSubscriptionsOptions): void {
  const open = new Map<unknown, AbortController>();
  const onError = throttleByCause(logPeriodMs, (err) => logger.warn({ err }, "mcp.subscription_round_failed"));

  async function watch(request: JSONRPCRequest): Promise<void> {
    const ended = new AbortController();
    open.set(request.id, ended);
    const caller = callerOf(ended.signal);
    const watched = await findWatchedResources(request, caller);
    if (watched.length === 0) return;
    const onUpdated = (uri: string) => void transport.send(updatedNotification(uri, request.id)).catch(onError);
    const stop = await watchAccount({ caller, watched, everyMs: pollEveryMs, onUpdated, onError });
    if (ended.signal.aborted) stop();
    else ended.signal.addEventListener("abort", stop, { once: true });
  }

  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    onmessage?.(message, extra);
    if (isJSONRPCRequest(message) && message.method === listenMethod) watch(message).catch(onError);
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const id = message.params?.requestId;
      open.get(id)?.abort();
      open.delete(id);
    }
  };
}
