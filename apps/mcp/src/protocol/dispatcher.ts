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

export type RpcAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

export interface Dispatch extends Origin {
  readonly request: JSONRPCRequest;
  /** Token of the caller: an answer to a question must come with the same one. */
  readonly token: string;
  /** Aborted when the caller disconnects. */
  readonly disconnected: AbortSignal;
  /** Sends a message that belongs to this request: a notification, or a question to its client. */
  readonly notify: (message: JSONRPCRequest | JSONRPCNotification) => Promise<void>;
}

export interface Dispatcher {
  /** Handles requests of many callers. Rejects with the signal's reason when the caller disconnected first. */
  answer(dispatch: Dispatch): Promise<RpcAnswer>;
  /** Accepts the client's answer to a question. One that no call waits for, or with another token, is dropped. */
  takeAnswer(answer: RpcAnswer, token: string): void;
}

interface Pending extends Dispatch {
  readonly resolve: (answer: RpcAnswer) => void;
}

const classifications = {
  legacy: { era: "legacy" },
  modern: { era: "modern", revision: statelessVersion },
} as const satisfies Record<string, MessageClassification>;

/**
 * The package's transport of one exchange, without its exchange: what it keeps is the era, which the server object
 * takes from it. Messages go to whom they belong.
 */
class SharedTransport extends PerRequestHTTPServerTransport {
  readonly pending = new Map<RequestId, Pending>();
  /** Questions by the id under which their clients know them. */
  readonly questions = new Map<string, { readonly innerId: RequestId; readonly ofRequest: RequestId }>();

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.pending.get(message.id as RequestId)?.resolve(message);
      return;
    }
    const ofRequest = options?.relatedRequestId ?? "";
    const asker = this.pending.get(ofRequest);
    // A question that is given up ends with the answer to the request, so its cancellation is of no use to the client.
    if (!asker || message.method === "notifications/cancelled") return;
    if (!isJSONRPCRequest(message)) return asker.notify(message);
    const id = randomUUID();
    this.questions.set(id, { innerId: message.id, ofRequest });
    await asker.notify({ ...message, id });
  }

  takeAnswer(answer: RpcAnswer, token: string): void {
    const question = this.questions.get(String(answer.id));
    if (!question || this.pending.get(question.ofRequest)?.token !== token) return;
    this.questions.delete(String(answer.id));
    this.onmessage?.({ ...answer, id: question.innerId });
  }

  settle(id: RequestId): void {
    this.pending.delete(id);
    for (const [name, { ofRequest }] of this.questions) if (ofRequest === id) this.questions.delete(name);
  }
}

/**
 * One server object of the MCP package for all HTTP requests of an era of the protocol, without a wire to it: making
 * one for each request, as the package's own entry does, would cost more than most calls (docs/adr/0024). Callers
 * choose their ids alike, so each request travels inside under an id of its own, by which its caller is found; and no
 * caller's notification is ever handed in, because a cancellation names another's request as easily. Nothing is written
 * before the answer is there, so a refusal by the API can still become the HTTP status.
 */
export function createDispatcher(surface: Surface, logger: Logger, era: keyof typeof classifications): Dispatcher {
  const classification = classifications[era];
  const transport = new SharedTransport({ classification });
  const { pending } = transport;
  let latestId = 0;
  const originOf = ({ mcpReq }: { readonly mcpReq: { readonly id: RequestId } }) => pending.get(mcpReq.id) as Pending;
  const connected = createMcpServer({ surface, era, logger, originOf }).connect(transport);

  const answer: Dispatcher["answer"] = async (dispatch) => {
    await connected;
    const { request, disconnected } = dispatch;
    disconnected.throwIfAborted();
    const id = ++latestId;
    return new Promise<RpcAnswer>((resolve, reject) => {
      const leave = () => {
        transport.settle(id);
        transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
        reject(disconnected.reason as Error);
      };
      disconnected.addEventListener("abort", leave, { once: true });
      pending.set(id, {
        ...dispatch,
        resolve(result) {
          transport.settle(id);
          disconnected.removeEventListener("abort", leave);
          resolve({ ...result, id: request.id });
        },
      });
      transport.onmessage?.({ ...request, id }, { classification });
    });
  };
  return { answer, takeAnswer: (given, token) => transport.takeAnswer(given, token) };
}
