import { compareText } from "@svc/domain";
import {
  type EmissionFactor,
  emissionFactorFields,
  type FactorSettings,
  factorSettingFields,
} from "@svc/domain/emissions";
import type { Page, PageRequest } from "@svc/domain/lists";
import { accountLock, advisoryLocks } from "../advisory-locks.ts";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { columnList, toJsonColumns } from "../records/column-names.ts";
import { selectList } from "../records/select-list.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";

const columns = selectList(Object.keys(emissionFactorFields), "f", {
  validFrom: "f.valid_from::text",
  validUntil: "f.valid_until::text",
});
const scope = "f.account_id = $1";

const findOne: Statement = {
  name: "emission-factors.find",
  text: `SELECT ${columns} FROM emission_factors f WHERE ${scope} AND f.id = $2`,
};
const lockOne: Statement = { name: "emission-factors.lock", text: `${findOne.text} FOR NO KEY UPDATE` };
const findForCarrier: Statement = {
  name: "emission-factors.for-carrier",
  text: `
    SELECT ${columns} FROM emission_factors f WHERE ${scope} AND (f.carrier_scac IS NULL OR f.carrier_scac = $2)`,
};

const source: ListSource = {
  name: "emission-factors",
  table: "emission_factors",
  alias: "f",
  scope,
  columns,
  joins: "",
  sortKeys: { created_at: { column: "f.created_at", type: "timestamptz" } },
};

/** Writes of an account one by one, so that together they neither exceed its limit nor store a factor twice. */
const acquireLock = accountLock("emission-factors.acquire-lock", advisoryLocks.emissionFactorsByAccount);

const settings = columnList(Object.keys(factorSettingFields)).join(", ");

const insertAll: Statement = {
  name: "emission-factors.insert",
  text: `
    INSERT INTO emission_factors AS f (account_id, id, ${settings}, created_at, updated_at)
    SELECT $1, id, ${settings}, clock_timestamp(), clock_timestamp()
    FROM jsonb_populate_recordset(NULL::emission_factors, $2::jsonb)
    RETURNING ${columns}`,
};

const editOne: Statement = {
  name: "emission-factors.edit",
  text: `
    UPDATE emission_factors AS f SET
      (${settings}) = (SELECT ${settings} FROM jsonb_populate_record(NULL::emission_factors, $3::jsonb)),
      row_version = row_version + 1, updated_at = clock_timestamp()
    WHERE ${scope} AND f.id = $2
    RETURNING ${columns}`,
};

const deleteOne: Statement = {
  name: "emission-factors.delete",
  text: `
    DELETE FROM emission_factors
    WHERE account_id = $1 AND id = $2 AND ($3::int[] IS NULL OR row_version = ANY($3))`,
};

/** Grouping takes nulls as equal. */
const findCollision: Statement = {
  name: "emission-factors.find-collision",
  text: `
    SELECT (array_agg(f.id ORDER BY f.id DESC) FILTER (WHERE f.id = ANY($2::uuid[])))[1] AS "writtenId",
      (array_agg(f.name ORDER BY f.id = ANY($2::uuid[]), f.id))[1] AS "otherName"
    FROM emission_factors f WHERE ${scope}
    GROUP BY f.energy_scope, f.carrier_scac, f.origins, f.destinations, f.both_directions, f.vessel_imo, f.equipment,
      f.valid_from, f.valid_until
    HAVING count(*) > 1 AND bool_or(f.id = ANY($2::uuid[]))
    ORDER BY 1 LIMIT 1`,
};
const countAll: Statement = {
  name: "emission-factors.count",
  text: `SELECT count(*)::int AS count FROM emission_factors f WHERE ${scope}`,
};

/** A factor that was written, and another one of the account for exactly the same legs. */
export interface FactorCollision {
  readonly writtenId: string;
  readonly otherName: string;
}

export interface EmissionFactorRepository {
  find(accountId: string, id: string): Promise<EmissionFactor | null>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<EmissionFactor>>;
  /** All that may apply to a container of the carrier. */
  forCarrier(accountId: string, carrierScac: string): Promise<EmissionFactor[]>;
  /** Holds off other writes of the account until the transaction ends. Call it first in a transaction that writes. */
  takeTurn(accountId: string): Promise<void>;
  /** Locks the factor against changes until the transaction ends. */
  lock(accountId: string, id: string): Promise<EmissionFactor | null>;
  /** Creates the factors and returns them in ascending order of their ids. */
  create(accountId: string, factors: readonly (FactorSettings & { readonly id: string })[]): Promise<EmissionFactor[]>;
  /** Edits a factor that is locked in the same transaction. */
  edit(accountId: string, present: EmissionFactor, edited: FactorSettings): Promise<EmissionFactor>;
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
  count(accountId: string): Promise<number>;
  /** Finds the first factor written in this transaction that is for the same legs as another one. */
  findCollision(accountId: string, writtenIds: readonly string[]): Promise<FactorCollision | null>;
}

export function createEmissionFactorRepository(sql: AccountSql): EmissionFactorRepository {
  return {
    find: (accountId, id) => firstRow(sql.rows<EmissionFactor>(findOne, [accountId, id])),
    lock: (accountId, id) => firstRow(sql.rows<EmissionFactor>(lockOne, [accountId, id])),
    list: (accountId, page) => listRows<EmissionFactor>(sql, source, accountId, [], page),
    forCarrier: (accountId, carrierScac) => sql.rows<EmissionFactor>(findForCarrier, [accountId, carrierScac]),
    async takeTurn(accountId) {
      await sql.execute(acquireLock, [accountId]);
    },
    async create(accountId, factors) {
      const written = JSON.stringify(factors.map(toJsonColumns));
      const rows = await sql.rows<EmissionFactor>(insertAll, [accountId, written]);
      return rows.toSorted((one, other) => compareText(one.id, other.id));
    },
    async edit(accountId, present, edited) {
      const written = JSON.stringify(toJsonColumns(edited));
      return (await sql.rows<EmissionFactor>(editOne, [accountId, present.id, written]))[0] ?? present;
    },
    delete: async (accountId, id, ifVersions) => (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0,
    count: async (accountId) => (await sql.rows<{ count: number }>(countAll, [accountId]))[0]?.count ?? 0,
    findCollision: (accountId, writtenIds) =>
      firstRow(sql.rows<FactorCollision>(findCollision, [accountId, writtenIds])),
  };
}
