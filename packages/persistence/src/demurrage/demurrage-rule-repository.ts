import {
  type DemurrageRule,
  type DemurrageSettings,
  demurrageRuleFields,
  demurrageSettingFields,
} from "@svc/domain/demurrage";
import type { Page, PageRequest } from "@svc/domain/lists";
import { accountLock, advisoryLocks } from "../advisory-locks.ts";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { columnList, toJsonColumns } from "../records/column-names.ts";
import { selectList } from "../records/select-list.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";

export const ruleColumns = selectList(Object.keys(demurrageRuleFields), "r", {
  validFrom: "r.valid_from::text",
  validUntil: "r.valid_until::text",
  holidays: "r.holidays::text[]",
});
const scope = "r.account_id = $1";

const findOne: Statement = {
  name: "demurrage-rules.find",
  text: `SELECT ${ruleColumns} FROM demurrage_rules r WHERE ${scope} AND r.id = $2`,
};
const lockOne: Statement = { name: "demurrage-rules.lock", text: `${findOne.text} FOR NO KEY UPDATE` };

const source: ListSource = {
  name: "demurrage-rules",
  table: "demurrage_rules",
  alias: "r",
  scope,
  columns: ruleColumns,
  joins: "",
  sortKeys: { created_at: { column: "r.created_at", type: "timestamptz" } },
};

/** Creations of an account one by one, so that they cannot exceed their limit together. */
const acquireLock = accountLock("demurrage-rules.acquire-lock", advisoryLocks.demurrageRulesByAccount);

const settings = columnList(Object.keys(demurrageSettingFields)).join(", ");
const written = "jsonb_populate_record(NULL::demurrage_rules, $3::jsonb)";

const insertOne: Statement = {
  name: "demurrage-rules.insert",
  text: `
    INSERT INTO demurrage_rules AS r (account_id, id, ${settings}, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, ${settings}, clock_timestamp(), clock_timestamp() FROM ${written}
    WHERE (SELECT count(*) FROM demurrage_rules one WHERE one.account_id = $1::uuid) < $4::int
    RETURNING ${ruleColumns}`,
};

const editOne: Statement = {
  name: "demurrage-rules.edit",
  text: `
    UPDATE demurrage_rules AS r SET (${settings}) = (SELECT ${settings} FROM ${written}),
      row_version = row_version + 1, updated_at = clock_timestamp()
    WHERE r.account_id = $1 AND r.id = $2 RETURNING ${ruleColumns}`,
};

const enqueue = `
    INSERT INTO demurrage_recomputations (account_id, id, carrier_scac, created_at)`;
const enqueueRecomputation: Statement = {
  name: "demurrage-rules.enqueue-recomputation",
  text: `${enqueue} VALUES ($1, uuidv7(), $2, clock_timestamp())`,
};
const deleteOne: Statement = {
  name: "demurrage-rules.delete",
  text: `
    WITH deleted AS (
      DELETE FROM demurrage_rules WHERE account_id = $1 AND id = $2 AND ($3::int[] IS NULL OR row_version = ANY($3))
      RETURNING account_id, carrier_scac)
    ${enqueue} SELECT account_id, uuidv7(), carrier_scac, clock_timestamp() FROM deleted`,
};

export interface DemurrageRuleRepository {
  find(accountId: string, id: string): Promise<DemurrageRule | null>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<DemurrageRule>>;
  /** Locks further creations of the account until the transaction ends. Call it in a transaction. */
  create(
    accountId: string,
    rule: DemurrageSettings & { readonly id: string },
    limit: number,
  ): Promise<DemurrageRule | "limit_reached">;
  /** Locks the rule against changes until the transaction ends. */
  lock(accountId: string, id: string): Promise<DemurrageRule | null>;
  /** Edits a rule that is locked in the same transaction. */
  edit(accountId: string, present: DemurrageRule, edited: DemurrageSettings): Promise<DemurrageRule>;
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
}

/** Each change has the containers that it may affect computed again, in the background. */
export function createDemurrageRuleRepository(sql: AccountSql): DemurrageRuleRepository {
  const recompute = (accountId: string, carrierScac: string | null) =>
    sql.execute(enqueueRecomputation, [accountId, carrierScac]);
  const columnsOf = (rule: DemurrageSettings) => JSON.stringify(toJsonColumns(rule));
  return {
    find: (accountId, id) => firstRow(sql.rows<DemurrageRule>(findOne, [accountId, id])),
    lock: (accountId, id) => firstRow(sql.rows<DemurrageRule>(lockOne, [accountId, id])),
    list: (accountId, page) => listRows<DemurrageRule>(sql, source, accountId, [], page),
    async create(accountId, rule, limit) {
      await sql.execute(acquireLock, [accountId]);
      const values = [accountId, rule.id, columnsOf(rule), limit] as const;
      const [row] = await sql.rows<DemurrageRule>(insertOne, values);
      if (row) await recompute(accountId, row.carrierScac);
      return row ?? "limit_reached";
    },
    async edit(accountId, present, edited) {
      const [row] = await sql.rows<DemurrageRule>(editOne, [accountId, present.id, columnsOf(edited)]);
      // The former carrier's shipments are checked, too.
      const isSameCarrier = present.carrierScac === edited.carrierScac;
      await recompute(accountId, isSameCarrier ? present.carrierScac : null);
      return row ?? present;
    },
    delete: async (accountId, id, ifVersions) => (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0,
  };
}
