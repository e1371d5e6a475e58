import type { Request, Response } from "express";

interface Addresses {
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
}

interface SameData {
  readonly path: string;
  readonly tool: string;
}

/** Where the API and the MCP server have what a page shows, by its path. */
const pages: readonly (readonly [RegExp, (id: string) => SameData])[] = [
  [/^\/shipments$/, () => ({ path: "/shipments", tool: "list_shipments" })],
  [/^\/shipments\/find$/, () => ({ path: "/search", tool: "search_container" })],
  [/^\/shipments\/([\w-]+)$/, (id) => ({ path: `/shipments/${id}`, tool: "get_shipment_details" })],
  [/^\/containers\/([\w-]+)(?:\/statements)?$/, (id) => ({ path: `/containers/${id}`, tool: "get_container" })],
];

/** An assistant asks for Markdown by name; browsers and command lines do not. */
export function asksForMarkdown(request: Request): boolean {
  return /(?:^|[\s,])text\/markdown\b/i.test(request.get("accept") ?? "");
}

/** Tells a program that came to a page without a session where the same data is, in place of a login form. */
export function sendAgentNote(request: Request, response: Response, { appUrl, apiBaseUrl, mcpUrl }: Addresses): void {
  const found = pages.flatMap(([pattern, dataOf]) => {
    const match = pattern.exec(request.path);
    return match ? [dataOf(match[1] ?? "")] : [];
  });
  const { path, tool } = found[0] ?? { path: "", tool: "search_container" };
  const lines = [
    "# Not logged in",
    "",
    "This page is for people. The same data, with an API token of the account:",
    "",
    `- HTTP: \`GET ${apiBaseUrl}${path}\` with \`Authorization: Token <API_KEY>\` (OpenAPI: ${apiBaseUrl}/openapi.json)`,
    `- MCP: the tool \`${tool}\` of the server at ${mcpUrl}, with \`Authorization: Bearer <API_KEY>\``,
    "",
    `A member of the account creates a token at ${appUrl}/developers/tokens.`,
  ];
  response.status(401).set({ "WWW-Authenticate": "Token", "Content-Type": "text/markdown; charset=utf-8" });
  response.end(`${lines.join("\n")}\n`);
}
