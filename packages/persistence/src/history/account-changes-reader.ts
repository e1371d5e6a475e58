import type { Instant } from "@svc/domain";
import type { AccountChange } from "@svc/domain/history";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";

export interface AccountChangeFilters {
  readonly since: Instant;
  /** Names of attributes in the domain; by default all. */
  readonly field?: readonly string[] | undefined;
  /** Ids of shipments: their own changes and those of their containers. By default of all. */
  readonly shipment?: readonly string[] | undefined;
}

/** A change of an attribute also updates its record, so the index of changed records finds the candidates. */
const changed = `(
  SELECT s.id, s.bill_of_lading_number AS number, s.id AS shipment_id FROM shipments s
  WHERE s.account_id = $1 AND s.updated_at >= $2
  UNION ALL
  SELECT c.id, c.number, c.shipment_id FROM containers c WHERE c.account_id = $1 AND c.updated_at >= $2)`;

const source: ListSource = {
  name: "account-changes",
  table: `(SELECT f.*, record.number, record.shipment_id FROM ${changed} AS record
    JOIN field_facts f ON f.account_id = $1 AND f.subject_id = record.id AND f.valid_from >= $2)`,
  alias: "f",
  scope: "f.account_id = $1",
  columns: `f.id, f.field, f.value, previous.value AS "previousValue", f.rule, f.data_source AS "dataSource",
    f.observation_id AS "observationId", f.valid_from AS "validFrom", f.superseded_at AS "supersededAt", f.cause,
    f.subject_type AS "recordType", f.subject_id AS "recordId", f.number,
    f.shipment_id AS "shipmentId"`,
  joins: `LEFT JOIN LATERAL (
    SELECT p.value FROM field_facts p
    WHERE p.account_id = f.account_id AND p.subject_id = f.subject_id AND p.field = f.field
      AND (p.valid_from, p.id) < (f.valid_from, f.id) AND p.superseded_at = f.valid_from
    ORDER BY p.valid_from DESC, p.id DESC LIMIT 1) AS previous ON true`,
  sortKeys: { valid_from: { column: "f.valid_from", type: "timestamptz" } },
};

/** Changed attributes of all shipments and containers of the account. */
export type AccountChangesReader = (
  accountId: string,
  filters: AccountChangeFilters,
  page: PageRequest<"valid_from">,
) => Promise<Page<AccountChange>>;

export function createAccountChangesReader(sql: AccountSql): AccountChangesReader {
  return (accountId, { since, field, shipment }, page) => {
    // The table expression above uses it as $2, so it must be the first condition.
    const conditions = [
      { key: "since", sql: (p: string) => `f.valid_from >= ${p}::timestamptz`, value: since },
      ...(field ? [{ key: "field", sql: (p: string) => `f.field = ANY(${p}::text[])`, value: field }] : []),
      ...(shipment
        ? [{ key: "shipment", sql: (p: string) => `f.shipment_id = ANY(${p}::uuid[])`, value: shipment }]
        : []),
    ];
    return listRows<AccountChange>(sql, source, accountId, conditions, page);
  };
}
