import { type JSONRPCRequest, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import type { RpcAnswer } from "./dispatcher.ts";
import { errorCodes, invalidParams, ProtocolError } from "./protocol-error.ts";
import type { Surface } from "./surface.ts";

/**
 * The revision 2026-07-28 of the protocol, which has no `initialize` and no sessions: every request carries its version
 * and the client's capabilities in `_meta`, and repeats in headers what a proxy routes by. The MCP package speaks the
 * revisions before it; what differs is here.
 */
const statelessVersion = "2026-07-28";
const supportedVersions = [statelessVersion, ...SUPPORTED_PROTOCOL_VERSIONS];

const reserved = "io.modelcontextprotocol/";
const headerMismatch = -32020;
const unsupportedVersion = -32022;

/** Gone from this revision. */
const removedMethods: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

/** Which member of the parameters the header Mcp-Name repeats. */
const nameMembers: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** How long an answer may be kept, and for whom: what the server itself says is the same for everybody. */
const cachedMs = 3_600_000;
const cacheable: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** The headers of a request that this revision defines. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

function metaOf(request: JSONRPCRequest): Readonly<Record<string, unknown>> {
  return request.params?._meta ?? {};
}

/** Whether the request is of this revision, or of one that is not known: those get this revision's errors. */
export function isStateless(request: JSONRPCRequest, { version }: ProtocolHeaders): boolean {
  if (metaOf(request)[`${reserved}protocolVersion`] !== undefined || request.method === "server/discover") return true;
  return version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}

/** `=?base64?…?=` carries what a header cannot. */
function decoded(header: string | undefined): string | undefined {
  const encoded = header === undefined ? undefined : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString("utf8");
}

/** What is wrong with the request as one of this revision; all of it is answered with 400. */
export function statelessFault(request: JSONRPCRequest, headers: ProtocolHeaders): ProtocolError | undefined {
  const meta = metaOf(request);
  const requested = meta[`${reserved}protocolVersion`];
  const mismatch = (name: string) => new ProtocolError(headerMismatch, `${name} is missing or differs from the body.`);
  const asked = requested ?? headers.version;
  if (asked !== undefined && asked !== statelessVersion && asked === (headers.version ?? asked)) {
    const message = `Unsupported protocol version. Supported: ${supportedVersions.join(", ")}.`;
    return new ProtocolError(unsupportedVersion, message, { supported: supportedVersions, requested: asked });
  }
  if (typeof requested !== "string" || typeof meta[`${reserved}clientCapabilities`] !== "object") {
    return invalidParams(`params._meta needs ${reserved}protocolVersion and ${reserved}clientCapabilities.`);
  }
  if (headers.version !== requested) return mismatch("MCP-Protocol-Version");
  if (headers.method !== request.method) return mismatch("Mcp-Method");
  const member = nameMembers[request.method];
  if (member !== undefined && decoded(headers.name) !== request.params?.[member]) return mismatch("Mcp-Name");
  return undefined;
}

/** Answers that need no server object; undefined: the request goes the way of all revisions. */
export function statelessAnswer({ id, method }: JSONRPCRequest, surface: Surface): RpcAnswer | undefined {
  if (method === "server/discover") {
    const { capabilities, instructions } = surface;
    return { jsonrpc: "2.0", id, result: { supportedVersions, capabilities, instructions } };
  }
  if (!removedMethods.has(method)) return undefined;
  return { jsonrpc: "2.0", id, error: { code: errorCodes.methodNotFound, message: `Method not found: ${method}` } };
}

/** The answer with what this revision adds to it. */
export function asStateless(
  request: JSONRPCRequest,
  answer: RpcAnswer,
  { serverInfo }: Surface,
  isReadOnly: boolean,
): RpcAnswer {
  if ("error" in answer) {
    if (answer.error.code !== errorCodes.resourceNotFound) return answer;
    return { ...answer, error: { ...answer.error, code: errorCodes.invalidParams } };
  }
  // The list of a read-only connection differs, and a cache may not know the header that asked for it.
  const isOfConnection = isReadOnly && request.method === "tools/list";
  const isPrivate = request.method === "resources/read" && !String(request.params?.uri).startsWith("svc://docs/");
  const result = {
    resultType: "complete",
    ...(cacheable.has(request.method) && {
      ttlMs: isPrivate ? 0 : cachedMs,
      cacheScope: isPrivate || isOfConnection ? "private" : "public",
    }),
    ...answer.result,
    _meta: { ...answer.result._meta, [`${reserved}serverInfo`]: serverInfo },
  };
  return { ...answer, result };
}
