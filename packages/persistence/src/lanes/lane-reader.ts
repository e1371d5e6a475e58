import type { LaneFilters } from "@svc/domain/lanes";
import type { Page, PageRequest } from "@svc/domain/lists";
import { conditionsOf, type FilterSql, type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";

/** Filters over lanes `a`. */
const laneFilterSql: FilterSql<LaneFilters> = {
  carrier: (p) => `a.scac = ANY(${p}::text[])`,
  portOfLading: (p) => `a.from_port = ANY(${p}::text[])`,
  portOfDischarge: (p) => `a.to_port = ANY(${p}::text[])`,
};

/** Lists one record for each shipping line and lane. */
interface LaneReader<Row> {
  list(accountId: string, filters: LaneFilters, page: PageRequest<"last_arrived_at">): Promise<Page<Row>>;
}

/**
 * @param lanes the lanes `a`, with the columns of `laneFilterSql` and `last_arrived_at`, and joins that are computed
 * only for the lanes of a page.
 */
export function laneReader<Row extends { readonly id: string }>(
  lanes: Pick<ListSource, "name" | "table" | "columns" | "joins">,
): (sql: AccountSql) => LaneReader<Row> {
  const source: ListSource = {
    ...lanes,
    alias: "a",
    scope: "true",
    sortKeys: { last_arrived_at: { column: "a.last_arrived_at", type: "timestamptz" } },
  };
  return (sql) => ({
    list: (accountId, filters, page) =>
      listRows<Row>(sql, source, accountId, conditionsOf(laneFilterSql, filters), page),
  });
}
