import type { Page, PageRequest } from "@svc/domain/lists";
import type { SavedView, ViewList } from "@svc/domain/saved-views";
import { accountLock, advisoryLocks, formerSavedViewsByAccount } from "../advisory-locks.ts";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import { hasPartSql } from "../search/without-accents.ts";
import { type AccountSql, firstRow, isViolation, type Statement } from "../sql.ts";

const columns = `
  v.id, v.list, v.name, v.filters, v.sort, v.columns, v.member_user_id AS "memberUserId",
  v.created_by_user_id AS "createdByUserId", v.row_version AS "rowVersion", v.created_at AS "createdAt",
  v.updated_at AS "updatedAt",
  ARRAY(SELECT d.user_id::text FROM default_views d WHERE d.account_id = v.account_id AND d.view_id = v.id)
    AS "defaultOfUserIds"`;

const isVisible = (userId: string): string => `(v.member_user_id IS NULL OR v.member_user_id = ${userId}::uuid)`;

const findOne: Statement = {
  name: "saved-views.find",
  text: `SELECT ${columns} FROM saved_views v WHERE v.account_id = $1 AND v.id = $2 AND ${isVisible("$3")}`,
};
const lockOne: Statement = { name: "saved-views.lock", text: `${findOne.text} FOR NO KEY UPDATE OF v` };
/** Locks the view against changes and deletion until the transaction ends. */
const lockSharedOne: Statement = { name: "saved-views.lock-shared", text: `${findOne.text} FOR SHARE OF v` };

const source: ListSource = {
  name: "saved-views",
  table: "saved_views",
  alias: "v",
  scope: "v.account_id = $1",
  columns,
  joins: "",
  sortKeys: { created_at: { column: "v.created_at", type: "timestamptz" } },
};

/** Creations and changes of the owner one by one for an account, so that they cannot exceed its limit together. */
const acquireLock = accountLock(
  "saved-views.acquire-lock",
  formerSavedViewsByAccount,
  advisoryLocks.savedViewsByAccount,
);

/** Whether there may be another view of the same owner: of the member, or shared with the account. */
const isBelowLimit = `(SELECT count(*) FROM saved_views one WHERE one.account_id = :accountId::uuid
      AND one.member_user_id IS NOT DISTINCT FROM :memberUserId::uuid) < :limit::int`;

const insertOne = withNames(
  {
    name: "saved-views.insert",
    text: `
    INSERT INTO saved_views AS v (account_id, id, list, name, filters, sort, columns, member_user_id,
      created_by_user_id, created_at, updated_at)
    SELECT :accountId::uuid, :id::uuid, :list, :name, :filters::jsonb, :sort, :columns::text[], :memberUserId::uuid,
      :createdByUserId::uuid, clock_timestamp(), clock_timestamp()
    WHERE ${isBelowLimit}
    RETURNING v.id`,
  },
  ["id", "list", "name", "filters", "sort", "columns", "memberUserId", "createdByUserId", "limit"],
);

const editOne = withNames(
  {
    name: "saved-views.edit",
    text: `
    UPDATE saved_views SET name = :name, filters = :filters, sort = :sort, columns = :columns,
      member_user_id = :memberUserId, row_version = row_version + 1, updated_at = clock_timestamp()
    WHERE account_id = :accountId AND id = :id
      AND (member_user_id IS NOT DISTINCT FROM :memberUserId::uuid OR ${isBelowLimit})`,
  },
  ["id", "name", "filters", "sort", "columns", "memberUserId", "limit"],
);

const deleteOne: Statement = {
  name: "saved-views.delete",
  text: "DELETE FROM saved_views WHERE account_id = $1 AND id = $2",
};

const setDefault: Statement = {
  name: "saved-views.set-default",
  text: `
    INSERT INTO default_views (account_id, user_id, list, view_id)
    SELECT v.account_id, $3, v.list, v.id FROM saved_views v WHERE v.account_id = $1 AND v.id = $2
    ON CONFLICT (account_id, user_id, list) DO UPDATE SET view_id = excluded.view_id`,
};
const clearDefault: Statement = {
  name: "saved-views.clear-default",
  text: "DELETE FROM default_views WHERE account_id = $1 AND view_id = $2 AND user_id = $3",
};
const clearDefaultsOfOthers: Statement = {
  name: "saved-views.clear-defaults-of-others",
  text: "DELETE FROM default_views WHERE account_id = $1 AND view_id = $2 AND user_id <> $3",
};

const findAlerts: Statement = {
  name: "saved-views.alerts",
  text: `SELECT name, user_id AS "userId" FROM alert_subscriptions WHERE account_id = $1 AND saved_view_id = $2`,
};

/** Selects the texts that are no part of a customer's name. */
const missingCustomers: Statement = {
  name: "saved-views.missing-customers",
  text: `
    SELECT part FROM unnest($2::text[]) AS part WHERE NOT EXISTS (
      SELECT FROM parties p WHERE p.account_id = $1 AND ${hasPartSql("p.company_name", "part")})`,
};

/** Selects the texts that are no customer's name. */
const missingNames: Statement = {
  name: "saved-views.missing-customer-names",
  text: `
    SELECT name AS part FROM unnest($2::text[]) AS name WHERE NOT EXISTS (
      SELECT FROM parties p WHERE p.account_id = $1 AND lower(p.company_name) = lower(name))`,
};

/** Settings of a view. */
export type SavedViewSettings = Pick<SavedView, "name" | "filters" | "sort" | "columns" | "memberUserId">;

export interface NewSavedView extends SavedViewSettings {
  readonly id: string;
  readonly list: ViewList;
  readonly createdByUserId: string | null;
}

export type SavedViewFault = "limit_reached" | "name_taken" | "no_such_member";

/** `userId`: the reader, who sees shared views and their own; null: only shared views. */
export interface SavedViewRepository {
  find(accountId: string, id: string, userId: string | null): Promise<SavedView | null>;
  list(
    accountId: string,
    filters: { readonly list?: readonly ViewList[]; readonly userId: string | null },
    page: PageRequest<"created_at">,
  ): Promise<Page<SavedView>>;
  /** `limit`: of shared views, and of those of a member. Call it in a transaction. */
  create(accountId: string, view: NewSavedView, limit: number): Promise<SavedViewFault | null>;
  /** Locks the view against changes until the transaction ends. */
  lock(accountId: string, id: string, userId: string | null): Promise<SavedView | null>;
  /** Locks the view in share mode: it does not change until the transaction ends. */
  lockShared(accountId: string, id: string, userId: string | null): Promise<SavedView | null>;
  /** Edits `present`, which is locked. `limit`: as in `create`, when it is shared or no longer shared. */
  edit(
    accountId: string,
    present: Pick<SavedView, "id" | "memberUserId">,
    edited: SavedViewSettings,
    limit: number,
  ): Promise<SavedViewFault | null>;
  delete(accountId: string, id: string): Promise<void>;
  /** Opens the list of the view with it for the member. */
  setDefault(accountId: string, id: string, userId: string): Promise<void>;
  clearDefault(accountId: string, id: string, userId: string): Promise<void>;
  clearDefaultsOfOthers(accountId: string, id: string, userId: string): Promise<void>;
  /** Alert subscriptions that are filtered by the view. */
  alerts(accountId: string, id: string): Promise<readonly { readonly name: string; readonly userId: string | null }[]>;
  /** The texts that are no part of the name of a customer. */
  missingCustomers(accountId: string, parts: readonly string[]): Promise<readonly string[]>;
  /** Those of the names that no customer has, in any case. */
  missingCustomerNames(accountId: string, names: readonly string[]): Promise<readonly string[]>;
}

function faultOf(error: unknown): SavedViewFault {
  if (isViolation(error, "unique")) return "name_taken";
  // The member was removed at this moment.
  if (isViolation(error, "foreign_key")) return "no_such_member";
  throw error;
}

export function createSavedViewRepository(sql: AccountSql): SavedViewRepository {
  const one = (statement: Statement, accountId: string, id: string, userId: string | null) =>
    firstRow(sql.rows<SavedView>(statement, [accountId, id, userId]));
  return {
    find: (accountId, id, userId) => one(findOne, accountId, id, userId),
    lock: (accountId, id, userId) => one(lockOne, accountId, id, userId),
    lockShared: (accountId, id, userId) => one(lockSharedOne, accountId, id, userId),
    list(accountId, { list, userId }, page) {
      const visible = { key: "visible", value: userId, sql: isVisible };
      const listCondition = { key: "list", value: list, sql: (p: string) => `v.list = ANY(${p}::text[])` };
      return listRows<SavedView>(sql, source, accountId, list ? [visible, listCondition] : [visible], page);
    },
    async create(accountId, { filters, ...view }, limit) {
      await sql.execute(acquireLock, [accountId]);
      try {
        const values = insertOne.values({ ...view, accountId, filters: JSON.stringify(filters), limit });
        return (await sql.rows<{ id: string }>(insertOne, values)).length === 0 ? "limit_reached" : null;
      } catch (error) {
        return faultOf(error);
      }
    },
    async edit(accountId, { id, memberUserId }, { filters, ...edited }, limit) {
      if (memberUserId !== edited.memberUserId) await sql.execute(acquireLock, [accountId]);
      try {
        const values = editOne.values({ ...edited, accountId, id, filters: JSON.stringify(filters), limit });
        return (await sql.execute(editOne, values)) === 0 ? "limit_reached" : null;
      } catch (error) {
        return faultOf(error);
      }
    },
    async delete(accountId, id) {
      await sql.execute(deleteOne, [accountId, id]);
    },
    async setDefault(accountId, id, userId) {
      await sql.execute(setDefault, [accountId, id, userId]);
    },
    async clearDefault(accountId, id, userId) {
      await sql.execute(clearDefault, [accountId, id, userId]);
    },
    async clearDefaultsOfOthers(accountId, id, userId) {
      await sql.execute(clearDefaultsOfOthers, [accountId, id, userId]);
    },
    alerts: (accountId, id) => sql.rows<{ name: string; userId: string | null }>(findAlerts, [accountId, id]),
    async missingCustomers(accountId, parts) {
      if (parts.length === 0) return [];
      return (await sql.rows<{ part: string }>(missingCustomers, [accountId, parts])).map(({ part }) => part);
    },
    async missingCustomerNames(accountId, names) {
      if (names.length === 0) return [];
      return (await sql.rows<{ part: string }>(missingNames, [accountId, names])).map(({ part }) => part);
    },
  };
}
