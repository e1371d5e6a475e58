import type { CacheHint } from "@modelcontextprotocol/server";

/** What the server itself says is the same for everybody. */
export const publicHint: CacheHint = { ttlMs: 3_600_000, cacheScope: "public" };
const privateHint: CacheHint = { ttlMs: 0, cacheScope: "private" };

const lists: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);

/** How long a result may be kept, and for whom (2026-07-28). Undefined: the revision defines none for the method. */
export function cacheHintOf(method: string, params: unknown, isReadOnly: boolean): CacheHint | undefined {
  if (method === "resources/read") {
    return String(Object(params).uri).startsWith("svc://docs/") ? publicHint : privateHint;
  }
  if (!lists.has(method)) return undefined;
  // The list of a read-only connection differs, and a cache may not know the header that asked for it.
  return isReadOnly && method === "tools/list" ? { ...publicHint, cacheScope: "private" } : publicHint;
}
