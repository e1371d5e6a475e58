import type { Request } from "express";

export const readOnlyHeader = "X-MCP-Readonly";
export const readOnlyPaths = ["/mcp/readonly", "/api/mcp/readonly"];

export const isReadOnlyPath = (path: string): boolean => readOnlyPaths.includes(path.toLowerCase().replace(/\/$/, ""));

/**
 * Whether the client asked for a connection that changes nothing, by path or header. A value of the header that is not
 * understood counts as read-only: nothing is lost by it.
 */
export function isReadOnlyRequest(request: Request): boolean {
  const value = request.get(readOnlyHeader)?.trim().toLowerCase();
  return isReadOnlyPath(request.path) || !["false", "0", undefined].includes(value);
}
