import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Logger } from "@svc/service-kit";
import type { Caller } from "../api/caller.ts";
import { protocolErrorOf } from "../tools/tool-error.ts";
import { answerRequest } from "./answer-request.ts";
import { instructions } from "./instructions.ts";
import { errorCodes, ProtocolError } from "./protocol-error.ts";

export const serverInfo = { name: "svc-mcp", title: "Shipment Tracking Service", version: "0.1.0" };

/** Only what works: nothing here changes while the server runs, so there is no `listChanged`. */
export const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };

// Of no use to this server, but each server object would make one of its own, at half the cost of the object.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export interface McpServerOptions {
  /** The caller of one message; the signal is aborted when its answer is no longer wanted. */
  readonly callerOf: (signal: AbortSignal) => Caller;
  readonly logger: Logger;
  /** Named in answers that tell no more than that something is wrong. */
  readonly requestId: string;
}

/**
 * A server object of the MCP package, for one HTTP request or one stdio session. All requests go through
 * `answerRequest`: the package's own registry would convert every schema again for each object, advertise `listChanged`
 * and answer an unknown tool with a result.
 */
export function createMcpServer({ callerOf, logger, requestId }: McpServerOptions): McpServer {
  const mcp = new McpServer(serverInfo, { instructions, jsonSchemaValidator });
  mcp.server.registerCapabilities(capabilities);
  mcp.server.fallbackRequestHandler = async ({ method, params }, { signal }) => {
    try {
      return await answerRequest(method, params, callerOf(signal));
    } catch (error) {
      if (signal.aborted) throw new ProtocolError(errorCodes.internal, "Cancelled.");
      const known = error instanceof ProtocolError ? error : protocolErrorOf(error);
      if (known) throw known;
      logger.error({ err: error, method, request_id: requestId }, "mcp.failed");
      throw new ProtocolError(errorCodes.internal, `Internal error. Ref ${requestId}`);
    }
  };
  return mcp;
}
