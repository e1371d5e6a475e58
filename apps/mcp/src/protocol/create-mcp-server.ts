import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Logger } from "@svc/service-kit";
import { protocolErrorOf } from "../tools/tool-error.ts";
import { errorCodes, ProtocolError } from "./protocol-error.ts";
import type { Call, Surface } from "./surface.ts";

export interface McpServerOptions {
  readonly surface: Surface;
  /** The call of a request to this server object. The signal is aborted when the request is cancelled. */
  readonly callOf: (
    requestId: RequestId,
    signal: AbortSignal,
    notify: Call["notify"],
  ) => Call & { readonly ref: string };
  /** The transport has one client, which answers requests of the server. */
  readonly hasOneClient?: true;
  readonly logger: Logger;
}

/** A person may read the question for so long. */
const answerTimeoutMs = 600_000;

/**
 * A server object of the MCP package. All requests go through the surface: the package's own registry would convert
 * every schema again, advertise `listChanged` and answer an unknown tool with a result.
 */
export function createMcpServer({ surface, callOf, hasOneClient, logger }: McpServerOptions): McpServer {
  const { serverInfo, capabilities, instructions } = surface;
  // The validator is of no use to this server, but each server object makes one of its own.
  const mcp = new McpServer(serverInfo, { instructions, jsonSchemaValidator: new AjvJsonSchemaValidator() });
  mcp.server.registerCapabilities(capabilities);
  const ask: Call["ask"] = async (message, requestedSchema) => {
    const { action } = await mcp.server.elicitInput({ message, requestedSchema }, { timeout: answerTimeoutMs });
    return action === "accept";
  };
  mcp.server.fallbackRequestHandler = async ({ method, params }, { requestId, signal, sendNotification }) => {
    const canAsk = hasOneClient && mcp.server.getClientCapabilities()?.elicitation?.form !== undefined;
    const call = {
      ...callOf(requestId, signal, (notification) => sendNotification(notification)),
      ...(canAsk && { ask }),
    };
    try {
      return await surface.answer(method, params, call);
    } catch (error) {
      if (signal.aborted) throw new ProtocolError(errorCodes.internal, "Cancelled.");
      const known = error instanceof ProtocolError ? error : protocolErrorOf(error);
      if (known) throw known;
      logger.error({ err: error, method, request_id: call.ref }, "mcp.failed");
      throw new ProtocolError(errorCodes.internal, `Internal error. Ref ${call.ref}`);
    }
  };
  return mcp;
}
