import { answerRequest } from "./answer-request.ts";
import { instructions } from "./instructions.ts";
import type { Surface } from "./surface.ts";

/** The product: ten tools, three prompts, two resources (docs/contract/specification.md, Hosted MCP endpoint). */
export const productSurface: Surface = {
  serverInfo: { name: "svc-mcp", title: "Shipment Tracking Service", version: "0.1.0" },
  // Only what works: nothing here changes while the server runs, so there is no `listChanged`.
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
  instructions,
  answer: answerRequest,
};
