import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  McpServer,
  type ProtocolEra,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { Logger } from "@svc/service-kit";
import type { Caller } from "../api/caller.ts";
import { toProtocolError } from "../tools/shared/tool-error.ts";
import { showsViews } from "../views/views.ts";
import { cacheHintOf, publicHint } from "./cache-hints.ts";
import { errorCodes, ProtocolError } from "./protocol-error.ts";
import type { Call, Surface } from "./surface.ts";

/** The revision without `initialize` and sessions: every request contains the capabilities of its client. */
export const statelessVersion = "2026-07-28";
export const supportedVersions = [statelessVersion, ...SUPPORTED_PROTOCOL_VERSIONS];

/** The caller of a request, and how it came in. */
export interface Origin {
  readonly caller: Caller;
  /** Reference in the caller's error and in the operator's log: all that an internal error shows to the caller. */
  readonly ref: string;
  /** The client shows elicitations to its user (revisions before 2026-07-28). */
  readonly canElicit: boolean;
  /** The client shows views beside results (revisions before 2026-07-28). */
  readonly showsViews: boolean;
}

export interface McpServerOptions {
  readonly surface: Surface;
  readonly era: ProtocolEra;
  readonly originOf: (context: ServerContext, mcp: McpServer) => Origin;
  readonly logger: Logger;
}

/** Time that a user may take to respond. */
const elicitationTimeoutMs = 600_000;

/** Returns the capabilities that a client declares with a request of 2026-07-28. */
const declaredIn = (envelope: Call["envelope"]) =>
  envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;

function createCall({ mcpReq }: ServerContext, { caller, canElicit, ...origin }: Origin): Call {
  const elicit: Call["elicit"] = async (message, requestedSchema) => {
    const request = { method: "elicitation/create", params: { message, requestedSchema } } as const;
    const { action } = await mcpReq.send(request, { timeout: elicitationTimeoutMs, signal: mcpReq.signal });
    return action === "accept";
  };
  return {
    caller,
    notify: mcpReq.notify,
    envelope: mcpReq.envelope,
    showsViews: origin.showsViews || showsViews(declaredIn(mcpReq.envelope)),
    inputResponses: mcpReq.inputResponses,
    requestState: mcpReq.requestState(),
    ...(canElicit && { elicit }),
  };
}

/**
 * A server object of the MCP package. All requests go through the surface: the package's own registry would convert
 * every schema again, advertise `listChanged` and check every result a second time.
 */
export function createMcpServer({ surface, era, originOf, logger }: McpServerOptions): McpServer {
  const { serverInfo, capabilities, instructions } = surface;
  const mcp = new McpServer(serverInfo, {
    instructions,
    supportedProtocolVersions: supportedVersions,
    cacheHints: { "server/discover": publicHint },
  });
  mcp.server.registerCapabilities(capabilities);
  // Before 2026-07-28 a subscription needs a session, and over HTTP there is none.
  if (era === "modern" && capabilities.resources) mcp.server.registerCapabilities({ resources: { subscribe: true } });
  mcp.server.fallbackRequestHandler = async ({ method, params }, context) => {
    const origin = originOf(context, mcp);
    const call = createCall(context, origin);
    try {
      const result = await surface.handle(method, params, call);
      return call.envelope ? { ...cacheHintOf(method, params, call), ...result } : result;
    } catch (error) {
      if (context.mcpReq.signal.aborted) throw new ProtocolError(errorCodes.internal, "Cancelled.");
      const known = error instanceof ProtocolError ? error : toProtocolError(error);
      if (known) throw known;
      logger.error({ err: error, method, request_id: origin.ref }, "mcp.failed");
      throw new ProtocolError(errorCodes.internal, `Internal error. Ref ${origin.ref}`);
    }
  };
  return mcp;
}
