import {
  classifyInboundRequest,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCRequest,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import type { Request } from "express";
import { statelessVersion, supportedVersions } from "../protocol/create-mcp-server.ts";
import { errorCodes } from "../protocol/protocol-error.ts";
import { type Rejection, rejections } from "./rejection.ts";

export type Era = "legacy" | "modern";

export type ReadMessage =
  | { readonly kind: "request"; readonly request: JSONRPCRequest; readonly era: Era }
  /** A notification, or the response to an elicitation. */
  | { readonly kind: "notification"; readonly message: object }
  | { readonly kind: "rejected"; readonly rejection: Rejection; readonly id?: string | number };

/** Member of the parameters that the header Mcp-Name repeats, by method (2026-07-28). */
const nameMembers: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** `=?base64?…?=` carries what a header cannot. */
function decoded(header: string | undefined): string | undefined {
  const encoded = header === undefined ? undefined : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString("utf8");
}

/** The first header that does not repeat the value of the body, for proxies to route by (2026-07-28). */
function differingHeader(http: Request, { method, params }: JSONRPCRequest): string | undefined {
  if (http.get("mcp-protocol-version") === undefined) return "MCP-Protocol-Version";
  if (http.get("mcp-method") !== method) return "Mcp-Method";
  const member = nameMembers[method];
  return member !== undefined && decoded(http.get("mcp-name")) !== params?.[member] ? "Mcp-Name" : undefined;
}

function unsupportedVersion(requested: string, supported: string[]): Rejection {
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported, requested });
  return { status: 400, code, message, data: data as Record<string, unknown> };
}

/**
 * Returns the fault of a request that the MCP package leaves to its own HTTP entry, or reports with its parser's text.
 */
function findRejection(
  http: Request,
  request: JSONRPCRequest,
  era: Era,
  version: string | undefined,
): Rejection | undefined {
  if (era === "modern") {
    // The versions are those of `server/discover` that clients can request in this way.
    if (version !== statelessVersion) return unsupportedVersion(String(version), [statelessVersion]);
    const header = differingHeader(http, request);
    const message = `${header} is missing or differs from the body.`;
    return header === undefined ? undefined : { status: 400, code: errorCodes.headerMismatch, message };
  }
  if (version !== undefined && !supportedVersions.includes(version)) {
    return unsupportedVersion(version, supportedVersions);
  }
  if (request.method !== "initialize" || isInitializeRequest(request)) return undefined;
  const message = "Invalid params: initialize needs protocolVersion, capabilities and clientInfo.";
  return { status: 200, code: errorCodes.invalidParams, message };
}

/** Reads the message in the body, and the era of the protocol that it is in. */
export function readMessage(http: Request): ReadMessage {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(http.body as Buffer));
  } catch {
    return { kind: "rejected", rejection: rejections.json };
  }
  if (Array.isArray(body)) return { kind: "rejected", rejection: rejections.batch };
  const header = (name: string) => http.get(name) as string;
  const route = classifyInboundRequest({
    httpMethod: http.method,
    protocolVersionHeader: header("mcp-protocol-version"),
    mcpMethodHeader: header("mcp-method"),
    mcpNameHeader: header("mcp-name"),
    body,
  });
  const request = isJSONRPCRequest(body) ? body : undefined;
  if (route.kind === "reject") {
    if (route.rung === "jsonrpc-shape") return { kind: "rejected", rejection: rejections.message };
    const { httpStatus: status, code, message, data } = route;
    const rejection = { status, code, message, ...(data !== undefined && { data: data as Record<string, unknown> }) };
    return { kind: "rejected", rejection, ...(request && { id: request.id }) };
  }
  if (!request) return { kind: "notification", message: body as object };
  const version = route.kind === "modern" ? route.classification.revision : http.get("mcp-protocol-version");
  const fault = findRejection(http, request, route.kind, version);
  if (fault) return { kind: "rejected", rejection: fault, id: request.id };
  return { kind: "request", request, era: route.kind };
}
