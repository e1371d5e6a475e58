import type { Database } from "@svc/persistence";
import { type CatalogueLine, readShippingLineCatalogue } from "@svc/persistence/reference-data";

/** Carriers change rarely, and every list of shipments offers them. */
const keptMs = 60_000;

/** Reads all shipping lines, from the database at most once a minute. `now`: milliseconds of a monotonic clock. */
export function createLineCatalogue(
  sql: Database["sql"],
  now: () => number = () => performance.now(),
): () => Promise<readonly CatalogueLine[]> {
  let kept: { readonly until: number; readonly lines: Promise<readonly CatalogueLine[]> } | undefined;
  return () => {
    if (kept && now() < kept.until) return kept.lines;
    const mine = { until: now() + keptMs, lines: readShippingLineCatalogue(sql) };
    kept = mine;
    // A failed read is not cached.
    mine.lines.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return mine.lines;
  };
}
