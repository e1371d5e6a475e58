import type { Request, Response } from "express";
import { sameData } from "./same-data.ts";

/** Public ones, without a slash at the end. */
export interface Addresses {
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
}

/** An assistant asks for Markdown by name; browsers and command lines do not. */
export function asksForMarkdown(request: Request): boolean {
  return /(?:^|[\s,])text\/markdown\b/i.test(request.get("accept") ?? "");
}

/** Where the API and the MCP server have what the page of this path shows. */
function whereIs(pagePath: string): { readonly path: string; readonly tool?: string | undefined } {
  for (const { page, apiPath, tool } of sameData) {
    const match = new RegExp(`^${page.replace("{id}", "([\\w-]+)")}$`).exec(pagePath);
    if (match) return { path: apiPath.replace("{id}", match[1] ?? ""), tool };
  }
  return { path: "", tool: "search_container" };
}

/** Tells a program that came to a page without a session where the same data is, in place of a login form. */
export function sendAgentNote(request: Request, response: Response, { appUrl, apiBaseUrl, mcpUrl }: Addresses): void {
  const { path, tool } = whereIs(request.path);
  const lines = [
    "# Not logged in",
    "",
    "This page is for people. The same data, with an API token of the account:",
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
