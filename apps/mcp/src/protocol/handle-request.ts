import {
  type ProgressToken,
  type Result,
  type StandardSchemaV1Sync,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { promptNamed, prompts } from "../prompts/catalogue.ts";
import { complete } from "../prompts/complete.ts";
import { readResource, resources, resourceTemplates } from "../resources/catalogue.ts";
import { tools } from "../tools/catalogue.ts";
import type { Progress, Tool } from "../tools/shared/define-tool.ts";
import { ToolError, toolErrorResult } from "../tools/shared/tool-error.ts";
import { viewByTool, viewTools } from "../views/view-tools.ts";
import { viewOf } from "../views/views.ts";
import { confirmWrite } from "./confirm-write.ts";
import { errorCodes, invalidParams, ProtocolError } from "./protocol-error.ts";
import type { Call } from "./surface.ts";

const toolsByName = new Map([...tools, ...viewTools].map((tool) => [tool.description.name, tool]));

// Created once: the conversion from zod to JSON Schema is the most expensive part of a listing.
const lists: Readonly<Record<string, Result>> = {
  "prompts/list": { prompts: prompts.map((prompt) => prompt.description) },
  "resources/list": { resources },
  "resources/templates/list": { resourceTemplates },
};

/**
 * Tools for clients that show views: the same tools, with the names of their views, then those that only views call.
 */
const withViews: readonly Tool[] = [
  ...tools.map((tool) => {
    const view = viewByTool.get(tool.description.name);
    return view ? { ...tool, description: { ...tool.description, _meta: viewOf(view) } } : tool;
  }),
  ...viewTools,
];

const toToolList = (listed: readonly Tool[]): Result => ({ tools: listed.map((tool) => tool.description) });
const readOnly = (listed: readonly Tool[]): Result => toToolList(listed.filter(({ isReadOnly }) => isReadOnly));
const toolLists = {
  plain: { all: toToolList(tools), readOnly: readOnly(tools) },
  withViews: { all: toToolList(withViews), readOnly: readOnly(withViews) },
};

function listNamed(method: string, { caller, showsViews }: Call): Result | undefined {
  if (method !== "tools/list") return lists[method];
  return toolLists[showsViews ? "withViews" : "plain"][caller.isReadOnly ? "readOnly" : "all"];
}

function parsed<Params>(schema: StandardSchemaV1Sync<unknown, Params>, params: unknown): Params {
  const result = schema["~standard"].validate(params);
  if (!result.issues) return result.value;
  const where = [...new Set(result.issues.map(({ path = [] }) => path.map(String).join(".") || "params"))].join(", ");
  throw invalidParams(`Invalid params: ${where}.`);
}

async function callTool(params: unknown, call: Call): Promise<Result> {
  const { name, arguments: input, _meta } = parsed(specTypeSchemas.CallToolRequestParams, params);
  const tool = toolsByName.get(name);
  // A tool that does not exist is the client's mistake, not the model's result (docs/contract/specification.md
  // errors.mcp_unknown_tool).
  if (!tool) throw invalidParams(`Unknown tool: ${name}`, { available: tools.map((one) => one.description.name) });
  if (call.caller.isReadOnly && !tool.isReadOnly) return toolErrorResult(readOnlyError(name));
  const unconfirmed = await confirmWrite(tool, { name, arguments: input }, call);
  if (unconfirmed) return unconfirmed;
  return tool.call(input, call.caller, createProgress(call, _meta?.progressToken));
}

const readOnlyError = (name: string): ToolError =>
  new ToolError({
    code: "read_only",
    message: `This connection is read-only, so ${name} changed nothing. Say what would change; to allow it the user connects to /mcp without the header X-MCP-Readonly.`,
  });

/** Reports progress only if the client sent a progress token. */
function createProgress({ notify }: Call, progressToken: ProgressToken | undefined): Progress {
  if (progressToken === undefined) return async () => undefined;
  return (progress, total, message) =>
    notify({ method: "notifications/progress", params: { progressToken, progress, total, message } });
}

/** Returns the result of a request that the MCP package leaves to us. Throws ProtocolError for an unknown method. */
export async function handleRequest(method: string, params: unknown, call: Call): Promise<Result> {
  const { caller } = call;
  const list = listNamed(method, call);
  if (list) {
    if (typeof params === "object" && params !== null && "cursor" in params) {
      throw invalidParams("Unknown cursor: every list of this server is one page.");
    }
    return list;
  }
  switch (method) {
    case "tools/call":
      return callTool(params, call);
    case "prompts/get": {
      const { name, arguments: input } = parsed(specTypeSchemas.GetPromptRequestParams, params);
      return promptNamed(name).get(input ?? {}, caller);
    }
    case "resources/read":
      return readResource(parsed(specTypeSchemas.ReadResourceRequestParams, params).uri, caller);
    case "completion/complete":
      return complete(parsed(specTypeSchemas.CompleteRequestParams, params), caller);
    default:
      throw new ProtocolError(errorCodes.methodNotFound, `Method not found: ${method.slice(0, 64)}`);
  }
}
