import type { DemurrageRule, DemurrageScope, DemurrageTerms } from "@svc/domain/demurrage";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import type { AccountSql, Statement } from "../sql.ts";

export const ruleColumns = `
  r.id, r.name, r.kind, r.direction, r.carrier_scac AS "carrierScac", r.port_locode AS "portLocode",
  r.terminal_code AS "terminalCode", r.equipment_types AS "equipmentTypes", r.equipment_lengths AS "equipmentLengths",
  r.valid_from::text AS "validFrom", r.valid_until::text AS "validUntil", r.counting_start AS "countingStart",
  r.start_offset_days AS "startOffsetDays", r.free_days AS "freeDays", r.free_day_calendar AS "freeDayCalendar",
  r.charged_day_calendar AS "chargedDayCalendar", r.weekend_days AS "weekendDays", r.holidays::text[] AS holidays,
  r.currency_code AS "currencyCode", r.tiers, r.row_version AS "rowVersion", r.created_at AS "createdAt",
  r.updated_at AS "updatedAt"`;
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
const takeTurn: Statement = {
  name: "demurrage-rules.take-turn",
  text: "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 7201125193))",
};

const settings = [
  ...(["name", "kind", "direction", "carrierScac", "portLocode", "terminalCode", "equipmentTypes"] as const),
  ...(["equipmentLengths", "validFrom", "validUntil", "countingStart", "startOffsetDays", "freeDays"] as const),
  ...(["freeDayCalendar", "chargedDayCalendar", "weekendDays", "holidays", "currencyCode", "tiers"] as const),
] as const;

const insertOne = withNames(
  {
    name: "demurrage-rules.insert",
    text: `
    INSERT INTO demurrage_rules AS r (account_id, id, name, kind, direction, carrier_scac, port_locode, terminal_code,
      equipment_types, equipment_lengths, valid_from, valid_until, counting_start, start_offset_days, free_days,
      free_day_calendar, charged_day_calendar, weekend_days, holidays, currency_code, tiers, created_at, updated_at)
    SELECT :accountId::uuid, :id::uuid, :name, :kind, :direction, :carrierScac, :portLocode, :terminalCode,
      :equipmentTypes::text[], :equipmentLengths::int[], :validFrom::date, :validUntil::date, :countingStart,
      :startOffsetDays::int, :freeDays::int, :freeDayCalendar, :chargedDayCalendar, :weekendDays::int[],
      :holidays::date[], :currencyCode, :tiers::jsonb, clock_timestamp(), clock_timestamp()
    WHERE (SELECT count(*) FROM demurrage_rules one WHERE one.account_id = :accountId::uuid) < :limit::int
    RETURNING ${ruleColumns}`,
  },
  ["id", ...settings, "limit"],
);

const editOne = withNames(
  {
    name: "demurrage-rules.edit",
    text: `
    UPDATE demurrage_rules AS r SET name = :name, kind = :kind, direction = :direction, carrier_scac = :carrierScac,
      port_locode = :portLocode, terminal_code = :terminalCode, equipment_types = :equipmentTypes,
      equipment_lengths = :equipmentLengths, valid_from = :validFrom::date, valid_until = :validUntil::date,
      counting_start = :countingStart, start_offset_days = :startOffsetDays, free_days = :freeDays,
      free_day_calendar = :freeDayCalendar, charged_day_calendar = :chargedDayCalendar, weekend_days = :weekendDays,
      holidays = :holidays::date[], currency_code = :currencyCode, tiers = :tiers, row_version = row_version + 1,
      updated_at = clock_timestamp()
    WHERE r.account_id = :accountId AND r.id = :id RETURNING ${ruleColumns}`,
  },
  ["id", ...settings],
);

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

/** What a member can change. */
export interface DemurrageRuleSettings extends DemurrageScope, DemurrageTerms {
  readonly name: string;
}

export interface DemurrageRuleRepository {
  find(accountId: string, id: string): Promise<DemurrageRule | null>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<DemurrageRule>>;
  /** Locks further creations of the account until the transaction ends. Call it in a transaction. */
  create(
    accountId: string,
    rule: DemurrageRuleSettings & { readonly id: string },
    limit: number,
  ): Promise<DemurrageRule | "limit_reached">;
  /** Locks the rule against changes until the transaction ends. */
  lock(accountId: string, id: string): Promise<DemurrageRule | null>;
  /** Of one that is locked, in the same transaction. */
  edit(accountId: string, present: DemurrageRule, edited: DemurrageRuleSettings): Promise<DemurrageRule>;
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
}

/** Each change has the containers that it may affect computed again, in the background. */
export function createDemurrageRuleRepository(sql: AccountSql): DemurrageRuleRepository {
  const recompute = (accountId: string, carrierScac: string | null) =>
    sql.execute(enqueueRecomputation, [accountId, carrierScac]);
  const values = (accountId: string, id: string, { tiers, ...rule }: DemurrageRuleSettings) => ({
    ...rule,
    accountId,
    id,
    tiers: JSON.stringify(tiers),
  });
  return {
    find: async (accountId, id) => (await sql.rows<DemurrageRule>(findOne, [accountId, id]))[0] ?? null,
    lock: async (accountId, id) => (await sql.rows<DemurrageRule>(lockOne, [accountId, id]))[0] ?? null,
    list: (accountId, page) => listRows<DemurrageRule>(sql, source, accountId, [], page),
    async create(accountId, rule, limit) {
      await sql.execute(takeTurn, [accountId]);
      const inserted = insertOne.values({ ...values(accountId, rule.id, rule), limit });
      const [row] = await sql.rows<DemurrageRule>(insertOne, inserted);
      if (row) await recompute(accountId, row.carrierScac);
      return row ?? "limit_reached";
    },
    async edit(accountId, present, edited) {
      const [row] = await sql.rows<DemurrageRule>(editOne, editOne.values(values(accountId, present.id, edited)));
      // With another carrier also the shipments of the former one.
      const isSameCarrier = present.carrierScac === edited.carrierScac;
      await recompute(accountId, isSameCarrier ? present.carrierScac : null);
      return row ?? present;
    },
    delete: async (accountId, id, ifVersions) => (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0,
  };
}
