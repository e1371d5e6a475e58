import { type CatalogueLine, type Database, readShippingLineCatalogue } from "@svc/persistence";

/** Lines come and go with releases and operators' edits, and every list offers them. */
const keptMs = 60_000;

/** Reads all shipping lines, from the database once a minute at most. `now` in milliseconds, of a clock that only goes forward. */
export function createLineCatalogue(
  sql: Database["sql"],
  now: () => number = () => performance.now(),
): () => Promise<readonly CatalogueLine[]> {
  let kept: { readonly until: number; readonly lines: Promise<readonly CatalogueLine[]> } | undefined;
  return () => {
    if (kept && now() < kept.until) return kept.lines;
    const mine = { until: now() + keptMs, lines: readShippingLineCatalogue(sql) };
    kept = mine;
    // What could not be read is asked for again.
    mine.lines.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return mine.lines;
  };
}
