import type { Instant } from "@svc/domain";
import type { FieldChange } from "@svc/domain/history";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";

const source: ListSource = {
  name: "field-history",
  table: "field_facts",
  alias: "f",
  scope: "f.account_id = $1",
  columns: `f.id, f.field, f.value, previous.value AS "previousValue", f.rule, f.data_source AS "dataSource",
    f.observation_id AS "observationId", f.valid_from AS "validFrom", f.superseded_at AS "supersededAt", f.cause`,
  // The predecessor is the last value that started before this one, found by a backward index scan. A value that was
  // withdrawn before this one started is no predecessor.
  joins: `LEFT JOIN LATERAL (
    SELECT p.value, p.superseded_at FROM field_facts p
    WHERE p.account_id = f.account_id AND p.subject_id = f.subject_id AND p.field = f.field
      AND (p.valid_from, p.id) < (f.valid_from, f.id)
    ORDER BY p.valid_from DESC, p.id DESC LIMIT 1) AS previous ON previous.superseded_at = f.valid_from`,
  sortKeys: { valid_from: { column: "f.valid_from", type: "timestamptz" } },
};

export interface FieldHistoryReader {
  /** The history of one shipment or container; `fields` are names in the domain. */
  list(
    accountId: string,
    subjectId: string,
    fields: readonly string[] | undefined,
    page: PageRequest<"valid_from">,
    /** Time until which changes count. */
    asOf?: Instant,
  ): Promise<Page<FieldChange>>;
}

export function createFieldHistoryReader(sql: AccountSql): FieldHistoryReader {
  return {
    async list(accountId, subjectId, fields, page, asOf) {
      const isNarrow = true as const;
      const conditions = [
        { key: "subject", sql: (p: string) => `f.subject_id = ${p}::uuid`, value: subjectId, isNarrow },
      ];
      const byField = fields && [
        { key: "field", sql: (p: string) => `f.field = ANY(${p}::text[])`, value: fields, isNarrow },
      ];
      const known = { key: "until", sql: (p: string) => `f.valid_from <= ${p}::timestamptz`, value: asOf, isNarrow };
      const allConditions = [...conditions, ...(byField ?? []), ...(asOf === undefined ? [] : [known])];
      const found = await listRows<FieldChange>(sql, source, accountId, allConditions, page);
      if (asOf === undefined) return found;
      const asKnownThen = ({ supersededAt, ...change }: FieldChange): FieldChange => ({
        ...change,
        supersededAt: supersededAt !== null && supersededAt <= asOf ? supersededAt : null,
      });
      return { ...found, items: found.items.map(asKnownThen) };
    },
  };
}
