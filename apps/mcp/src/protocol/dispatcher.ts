import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import type { Logger } from "@svc/service-kit";
import type { Caller } from "../api/caller.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { Surface } from "./surface.ts";

export type RpcAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

export interface Dispatch {
  readonly request: JSONRPCRequest;
  readonly caller: Caller;
  /** In the caller's error and in the operator's log. It is all that an internal error shows to the caller. */
  readonly ref: string;
  /** Aborted when the caller is gone. */
  readonly gone: AbortSignal;
  /** Sends a notification that belongs to this request. */
  readonly notify: (notification: JSONRPCNotification) => Promise<void>;
}

/** Answers requests of many callers. Rejects with the signal's reason when the caller left first. */
export type Dispatcher = (dispatch: Dispatch) => Promise<RpcAnswer>;

interface Pending extends Dispatch {
  readonly resolve: (answer: RpcAnswer) => void;
}

function isAnswer(message: JSONRPCMessage): message is RpcAnswer {
  return "result" in message || "error" in message;
}

/**
 * One server object of the MCP package for all HTTP requests, without a wire to it: making one for each would cost more
 * than most calls. Callers choose their ids alike, so each request travels inside under an id of its own, by which its
 * caller is found; and no caller's notification is ever handed in, because a cancellation names another's request as
 * easily. Nothing is written before the answer is there, so a refusal by the API can still become the HTTP status.
 */
export function createDispatcher(surface: Surface, logger: Logger): Dispatcher {
  const pending = new Map<RequestId, Pending>();
  let latestId = 0;
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    async send(message, options) {
      if (isAnswer(message)) pending.get(message.id as RequestId)?.resolve(message);
      else if ("method" in message) await pending.get(options?.relatedRequestId ?? "")?.notify(message);
    },
  };
  const mcp = createMcpServer({
    surface,
    logger,
    callOf(requestId, _signal, notify) {
      const { caller, ref } = pending.get(requestId) as Pending;
      return { caller, ref, notify };
    },
  });
  const connected = mcp.connect(transport);

  return async (dispatch) => {
    await connected;
    const { request, gone } = dispatch;
    gone.throwIfAborted();
    const id = ++latestId;
    return new Promise<RpcAnswer>((resolve, reject) => {
      const leave = () => {
        pending.delete(id);
        transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
        reject(gone.reason as Error);
      };
      gone.addEventListener("abort", leave, { once: true });
      pending.set(id, {
        ...dispatch,
        resolve(answer) {
          pending.delete(id);
          gone.removeEventListener("abort", leave);
          resolve({ ...answer, id: request.id });
        },
      });
      transport.onmessage?.({ ...request, id });
    });
  };
}
