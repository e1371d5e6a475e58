import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { DataSource, ReplyChannel } from "@svc/domain/observations";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";
import { factHeldAt } from "./facts-as-of.ts";

/** Provenance of one derived attribute's value. */
export interface ProvenanceRecord {
  readonly id: string;
  /** The attribute, by its name in the domain. */
  readonly field: string;
  readonly value: unknown;
  /** The derivation rule of the value. */
  readonly rule: string;
  readonly dataSource: DataSource;
  /** The observation that it is derived from; null when it is derived from several. */
  readonly observationId: string | null;
  /** When the source reported it, according to the source; null when it does not say. */
  readonly statedAt: Instant | null;
  /** The stored reply that contained the observation. */
  readonly rawReplyId: string | null;
  readonly channel: ReplyChannel | null;
  readonly receivedAt: Instant | null;
  readonly validFrom: Instant;
  /** Null for the current value. */
  readonly supersededAt: Instant | null;
}

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

const ofSubject = (value: string): Condition => ({ key: "subject", sql: (p) => `f.subject_id = ${p}::uuid`, value });

const heldAt = (value: Instant | undefined): readonly Condition[] =>
  value === undefined
    ? [{ key: "now", sql: (p) => `(f.superseded_at IS NULL) = ${p}::boolean`, value: true }]
    : [{ key: "then", sql: factHeldAt, value }];

export interface ProvenanceReader {
  /** Provenance of every derived attribute of one shipment or container, now or as known at `asOf`. */
  list(
    accountId: string,
    subjectId: string,
    asOf: Instant | undefined,
    page: PageRequest<"valid_from">,
  ): Promise<Page<ProvenanceRecord>>;
}

export function createProvenanceReader(sql: AccountSql): ProvenanceReader {
  return {
    list: (accountId, subjectId, asOf, page) =>
      listRows<ProvenanceRecord>(sql, source, accountId, [ofSubject(subjectId), ...heldAt(asOf)], page),
  };
}
