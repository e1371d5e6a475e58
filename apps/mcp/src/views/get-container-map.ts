import { z } from "zod";
import { cleanText } from "../text/clean-text.ts";
import type { Tool } from "../tools/shared/define-tool.ts";
import { containerId } from "../tools/shared/fields.ts";
import { resolveContainerId } from "../tools/shared/find-record.ts";
import { parseArguments } from "../tools/shared/parse-arguments.ts";
import { publishedSchema } from "../tools/shared/published-schema.ts";
import { ToolError, toolErrorResult, toToolError } from "../tools/shared/tool-error.ts";
import { viewOf } from "./views.ts";

const input = z.strictObject({ id: containerId });

/**
 * The route of a container as GeoJSON, for the view that draws it: thousands of positions, which are of no use to a
 * model. get_container_route has the same stops in words.
 */
export const getContainerMap: Tool = {
  description: {
    name: "get_container_map",
    title: "Get container map",
    description: "Returns the route of a container as GeoJSON, for the interactive view of the container.",
    inputSchema: publishedSchema(input),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    _meta: viewOf("container", ["app"]),
  },
  tokenBudget: Number.POSITIVE_INFINITY,
  isReadOnly: true,
  questionBefore: () => undefined,
  async call(raw, caller) {
    try {
      const id = await resolveContainerId(parseArguments(input, raw).id, caller);
      const map = await caller.client.containers.map(id);
      const structuredContent = JSON.parse(JSON.stringify(map), (_name, value: unknown) =>
        typeof value === "string" ? cleanText(value) : value,
      ) as Record<string, unknown>;
      const text = "The map is in the view. For the stops in words call get_container_route(id).";
      return { content: [{ type: "text", text }], structuredContent };
    } catch (error) {
      const toolError = toToolError(error, caller, undefined);
      if (toolError instanceof ToolError) return toolErrorResult(toolError);
      throw error;
    }
  },
};
