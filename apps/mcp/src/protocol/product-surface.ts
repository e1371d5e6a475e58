import { handleRequest } from "./handle-request.ts";
import { instructions } from "./instructions.ts";
import { serverInfo } from "./server-info.ts";
import type { Surface } from "./surface.ts";

/**
 * The product: tools, prompts and resources (docs/contract/specification.md, Hosted MCP endpoint).
 * `websiteUrl`: the web application; undefined when its address is not known.
 */
export const productSurface = (websiteUrl?: string): Surface => ({
  serverInfo: { ...serverInfo, ...(websiteUrl !== undefined && { websiteUrl }) },
  // Only what works: nothing here changes while the server runs, so there is no `listChanged`.
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
  instructions,
  handle: handleRequest,
});
