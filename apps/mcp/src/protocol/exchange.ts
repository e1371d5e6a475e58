import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
} from "@modelcontextprotocol/sdk/types.js";

export type RpcAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

function isAnswer(message: JSONRPCMessage): message is RpcAnswer {
  return "result" in message || "error" in message;
}

/**
 * Gives one request to a server object and resolves to its answer, without a wire between them: nothing is written before
 * the answer is there, so a refusal by the API can still become the HTTP status. Rejects when the signal is aborted first,
 * and ends the server object's work either way.
 */
export async function exchange(mcp: McpServer, request: JSONRPCRequest, signal: AbortSignal): Promise<RpcAnswer> {
  const transport: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => transport.onclose?.(),
  };
  const answered = new Promise<RpcAnswer | undefined>((resolve) => {
    transport.send = async (message) => {
      if (isAnswer(message)) resolve(message);
    };
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  await mcp.connect(transport);
  try {
    signal.throwIfAborted();
    transport.onmessage?.(request);
    const answer = await answered;
    if (answer === undefined) throw signal.reason;
    return answer;
  } finally {
    await mcp.close();
  }
}
