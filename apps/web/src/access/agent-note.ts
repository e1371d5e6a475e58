import type { Request, Response } from "express";
import { sameData } from "./same-data.ts";

/** Public base URLs, without a trailing slash. */
export interface Addresses {
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
}

/** AI assistants list Markdown in the Accept header; browsers and command-line clients do not. */
export function acceptsMarkdown(request: Request): boolean {
  return /(?:^|[\s,])text\/markdown\b/i.test(request.get("accept") ?? "");
}

/** The API path and the MCP tool that return the data of this page. */
function whereIs(pagePath: string): { readonly path: string; readonly tool?: string | undefined } {
  for (const { page, apiPath, tool } of sameData) {
    const match = new RegExp(`^${page.replace("{id}", "([\\w-]+)")}$`).exec(pagePath);
    if (match) return { path: apiPath.replace("{id}", match[1] ?? ""), tool };
  }
  return { path: "", tool: "search_container" };
}

/** Shows a program without a session the API path and MCP tool of the same data, in place of a login form. */
export function sendAgentNote(request: Request, response: Response, { appUrl, apiBaseUrl, mcpUrl }: Addresses): void {
  const { path, tool } = whereIs(request.path);
  const lines = [
    "# Not signed in",
    "",
    "This page is for signed-in users. The same data is available with an API token of the account:",
    "",
    `- HTTP: \`GET ${apiBaseUrl}${path}\` with \`Authorization: Token <API_KEY>\` (OpenAPI: ${apiBaseUrl}/openapi.json)`,
    ...(tool
      ? [`- MCP: the tool \`${tool}\` of the server at ${mcpUrl}, with \`Authorization: Bearer <API_KEY>\``]
      : []),
    "",
    `A member of the account creates a token at ${appUrl}/developers/tokens.`,
  ];
  response.status(401).set({ "WWW-Authenticate": "Token", "Content-Type": "text/markdown; charset=utf-8" });
  response.end(`${lines.join("\n")}\n`);
}
