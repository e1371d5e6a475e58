import { randomUUID } from "node:crypto";
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type RequestId,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import type { Logger } from "@svc/service-kit";
import { createMcpServer, type Origin, statelessVersion } from "./create-mcp-server.ts";
import type { Surface } from "./surface.ts";

export type RpcResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export interface Dispatch extends Origin {
  readonly request: JSONRPCRequest;
  /** Token of the caller: the response to an elicitation must come with the same one. */
  readonly token: string;
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
  /** Sends a message that belongs to this request: a notification, or an elicitation. */
  readonly notify: (message: JSONRPCRequest | JSONRPCNotification) => Promise<void>;
}

export interface Dispatcher {
  /** Handles requests of many callers. Rejects with the signal's reason when the caller disconnected first. */
  handle(dispatch: Dispatch): Promise<RpcResponse>;
  /** Accepts the client's response to an elicitation. Drops it if none is pending or the token is another. */
  resolveElicitation(response: RpcResponse, token: string): void;
}

interface PendingRequest extends Dispatch {
  readonly resolve: (response: RpcResponse) => void;
}

interface Elicitation {
  /** Id that the server object gave it. */
  readonly innerId: RequestId;
  /** Internal id of the request during which it is sent. */
  readonly requestId: RequestId;
}

const classifications = {
  legacy: { era: "legacy" },
  modern: { era: "modern", revision: statelessVersion },
} as const satisfies Record<string, MessageClassification>;

/**
 * Transport shared by all HTTP requests of one protocol era. Routes each message to the pending request that it belongs
 * to, by its internal id. Extends the package's per-request transport only for its era handling (docs/adr/0024).
 */
class SharedTransport extends PerRequestHTTPServerTransport {
  readonly pending = new Map<RequestId, PendingRequest>();
  /** Elicitations by the ids that their clients use. */
  readonly elicitations = new Map<string, Elicitation>();

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.pending.get(message.id as RequestId)?.resolve(message);
      return;
    }
    const requestId = options?.relatedRequestId ?? "";
    const request = this.pending.get(requestId);
    // The response to the request ends its elicitation, so a cancellation is of no use to the client.
    if (!request || message.method === "notifications/cancelled") return;
    if (!isJSONRPCRequest(message)) return request.notify(message);
    const id = randomUUID();
    this.elicitations.set(id, { innerId: message.id, requestId });
    await request.notify({ ...message, id });
  }

  resolveElicitation(response: RpcResponse, token: string): void {
    const id = String(response.id);
    const elicitation = this.elicitations.get(id);
    if (!elicitation || this.pending.get(elicitation.requestId)?.token !== token) return;
    this.elicitations.delete(id);
    this.onmessage?.({ ...response, id: elicitation.innerId });
  }

  settle(requestId: RequestId): void {
    this.pending.delete(requestId);
    for (const [id, elicitation] of this.elicitations) {
      if (elicitation.requestId === requestId) this.elicitations.delete(id);
    }
  }
}

/**
 * Serves all HTTP requests of one era with a single server object, because creating one per request costs more than
 * most calls (docs/adr/0024). Request ids are chosen by clients and collide, so each request gets an internal id.
 * Client notifications are dropped: a cancellation could name the request of another caller. Before the result only
 * notifications and elicitations are written, once the token was accepted, so that a 401 or 429 of the API can become
 * the HTTP status.
 */
export function createDispatcher(surface: Surface, logger: Logger, era: keyof typeof classifications): Dispatcher {
  const classification = classifications[era];
  const transport = new SharedTransport({ classification });
  const { pending } = transport;
  let latestId = 0;
  const originOf = ({ mcpReq }: { readonly mcpReq: { readonly id: RequestId } }) =>
    pending.get(mcpReq.id) as PendingRequest;
  const connected = createMcpServer({ surface, era, logger, originOf }).connect(transport);

  const handle: Dispatcher["handle"] = async (dispatch) => {
    await connected;
    const { request, disconnected } = dispatch;
    disconnected.throwIfAborted();
    const id = ++latestId;
    return new Promise<RpcResponse>((resolve, reject) => {
      const cancel = () => {
        transport.settle(id);
        transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
        reject(disconnected.reason as Error);
      };
      disconnected.addEventListener("abort", cancel, { once: true });
      pending.set(id, {
        ...dispatch,
        resolve(response) {
          transport.settle(id);
          disconnected.removeEventListener("abort", cancel);
          resolve({ ...response, id: request.id });
        },
      });
      transport.onmessage?.({ ...request, id }, { classification });
    });
  };
  return { handle, resolveElicitation: (response, token) => transport.resolveElicitation(response, token) };
}
