import type { ClientCapabilities, ReadResourceResult } from "@modelcontextprotocol/server";
import { views } from "../generated/views.ts";

/** MCP Apps (SEP-1865): views that a client shows beside the results of tools. */
const extension = "io.modelcontextprotocol/ui";
const mimeType = "text/html;profile=mcp-app";

export const viewUris = { container: "ui://svc/container", board: "ui://svc/board" } as const;

const documents: ReadonlyMap<string, string> = new Map([
  [viewUris.container, views.container],
  [viewUris.board, views.board],
]);

/** Whether a client with these capabilities shows views. */
export function showsViews(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (capabilities?.extensions?.[extension] ?? {}) as { readonly mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(mimeType);
}

/** The tools' metadata that names their view. `visibility: ["app"]`: for the view, not for the model. */
export const viewOf = (view: keyof typeof viewUris, visibility?: readonly ["app"]) => ({
  ui: { resourceUri: viewUris[view], ...(visibility && { visibility }) },
});

/**
 * Undefined: there is no such view. They are not listed as resources, because only the metadata of tools leads to them.
 * Empty domains: the document loads nothing and connects to nothing.
 */
export function readView(uri: string): ReadResourceResult | undefined {
  const text = documents.get(uri);
  if (text === undefined) return undefined;
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
  return { contents: [{ uri, mimeType, text, _meta: { ui: { csp, prefersBorder: true } } }] };
}
