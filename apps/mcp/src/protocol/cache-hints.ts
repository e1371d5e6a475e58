import type { CacheHint } from "@modelcontextprotocol/server";
import type { Call } from "./surface.ts";

/** Cache hint for texts of the server, which are the same for every caller. */
export const publicHint: CacheHint = { ttlMs: 3_600_000, cacheScope: "public" };
const privateHint: CacheHint = { ttlMs: 0, cacheScope: "private" };

const lists: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);

/** How long a result may be kept, and for whom (2026-07-28). Undefined: the revision defines none for the method. */
export function cacheHintOf(
  method: string,
  params: unknown,
  { caller, showsViews }: Pick<Call, "caller" | "showsViews">,
): CacheHint | undefined {
  if (method === "resources/read") {
    return /^(svc:\/\/docs|ui:\/\/svc)\//.test(String(Object(params).uri)) ? publicHint : privateHint;
  }
  if (!lists.has(method)) return undefined;
  // The list of a read-only connection differs, and that for clients that show views. A cache cannot distinguish them.
  return method === "tools/list" && (caller.isReadOnly || showsViews)
    ? { ...publicHint, cacheScope: "private" }
    : publicHint;
}
