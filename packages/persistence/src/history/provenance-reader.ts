import type { Instant } from "@svc/domain";
import type { Provenance } from "@svc/domain/history";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";
import { factValidAt } from "./facts-as-of.ts";

const source: ListSource = {
  name: "provenance",
  table: "field_facts",
  alias: "f",
  scope: "f.account_id = $1",
  columns: `f.id, f.field, f.value, f.rule, f.data_source AS "dataSource", f.observation_id AS "observationId",
    o.fact ->> 'statedAt' AS "statedAt", r.id AS "rawReplyId", r.channel, r.received_at AS "receivedAt",
    f.valid_from AS "validFrom", f.superseded_at AS "supersededAt"`,
  joins: `LEFT JOIN observations o ON o.account_id = f.account_id AND o.id = f.observation_id
    LEFT JOIN raw_replies r ON r.account_id = o.account_id AND r.id = o.raw_reply_id`,
  sortKeys: { valid_from: { column: "f.valid_from", type: "timestamptz" } },
};

const subjectCondition = (value: string): Condition => ({
  key: "subject",
  sql: (p) => `f.subject_id = ${p}::uuid`,
  value,
});

const validityConditions = (value: Instant | undefined): readonly Condition[] =>
  value === undefined
    ? [{ key: "now", sql: (p) => `(f.superseded_at IS NULL) = ${p}::boolean`, value: true }]
    : [{ key: "then", sql: factValidAt, value }];

export interface ProvenanceReader {
  /** Provenance of every derived attribute of one shipment or container, now or as known at `asOf`. */
  list(
    accountId: string,
    subjectId: string,
    asOf: Instant | undefined,
    page: PageRequest<"valid_from">,
  ): Promise<Page<Provenance>>;
}

export function createProvenanceReader(sql: AccountSql): ProvenanceReader {
  return {
    list: (accountId, subjectId, asOf, page) =>
      listRows<Provenance>(sql, source, accountId, [subjectCondition(subjectId), ...validityConditions(asOf)], page),
  };
}
