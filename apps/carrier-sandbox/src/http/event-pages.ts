import type { Fact } from "../voyage/fact.ts";
import { type Cursor, type EventQuery, writeCursor } from "./event-query.ts";

export interface EventPage {
  readonly facts: readonly Fact[];
  /** Current-Page and, where they exist, First-, Prev-, Next- and Last-Page. */
  readonly links: Readonly<Record<string, string>>;
}

/**
 * One page of the events selected as of `asOf`. Its cursors contain that time, so that events published while a client
 * reads the pages do not shift them.
 */
export function buildPage(selected: readonly Fact[], query: EventQuery, address: URL, asOf: number): EventPage {
  const { limit } = query;
  const offset = query.cursor?.offset ?? 0;
  const link = (cursor: Cursor) => {
    const url = new URL(address);
    url.searchParams.set("limit", String(limit));
    url.searchParams.set("cursor", writeCursor(cursor));
    return url.href;
  };
  const lastOffset = Math.max(0, Math.ceil(selected.length / limit) - 1) * limit;
  const links: Record<string, string> = { "Current-Page": link({ asOf, offset }) };
  if (offset > 0) {
    links["First-Page"] = link({ asOf, offset: 0 });
    links["Prev-Page"] = link({ asOf, offset: Math.max(0, offset - limit) });
  }
  if (offset + limit < selected.length) {
    links["Next-Page"] = link({ asOf, offset: offset + limit });
    links["Last-Page"] = link({ asOf, offset: lastOffset });
  }
  return { facts: selected.slice(offset, offset + limit), links };
}
