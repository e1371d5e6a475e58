import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { Party } from "@svc/domain/parties";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, firstRow, isViolation, type Statement } from "../sql.ts";

const columns = `y.id, y.company_name AS "companyName", y.row_version AS "rowVersion", y.created_at AS "createdAt", y.updated_at AS "updatedAt"`;

const findOne: Statement = {
  name: "parties.find",
  text: `SELECT ${columns} FROM parties y WHERE y.account_id = $1 AND y.id = $2`,
};

const findByIds: Statement = {
  name: "parties.find-many",
  text: `SELECT ${columns} FROM parties y WHERE y.account_id = $1 AND y.id = ANY($2::uuid[])`,
};

const insertOne: Statement = {
  name: "parties.insert",
  text: `
    INSERT INTO parties AS y (account_id, id, company_name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
    ON CONFLICT (account_id, lower(company_name)) DO NOTHING RETURNING ${columns}`,
};

const lockOne: Statement = {
  name: "parties.lock",
  text: `${findOne.text} FOR NO KEY UPDATE`,
};

/** Renames unless another party of the account has the name. */
const renameOne: Statement = {
  name: "parties.rename",
  text: `
    UPDATE parties AS y SET company_name = $3, row_version = row_version + 1, updated_at = $4
    WHERE y.account_id = $1 AND y.id = $2 AND NOT EXISTS (
      SELECT FROM parties other WHERE other.account_id = $1 AND lower(other.company_name) = lower($3)
        AND other.id <> $2)
    RETURNING ${columns}`,
};

const listSource: ListSource = {
  name: "parties",
  table: "parties",
  alias: "y",
  scope: "y.account_id = $1",
  columns,
  joins: "",
  sortKeys: { created_at: { column: "y.created_at", type: "timestamptz" } },
};

export interface PartyFilters {
  /** Names, ignoring case. */
  readonly companyName?: readonly string[];
}

/** Names are unique, so that an index finds them. */
const conditionsOf = ({ companyName }: PartyFilters): Condition[] =>
  companyName === undefined
    ? []
    : [
        {
          key: "companyName",
          value: companyName,
          sql: (p) => `lower(y.company_name) = ANY (SELECT lower(name) FROM unnest(${p}::text[]) AS name)`,
          isNarrow: true,
        },
      ];

/** The account has another party of that name, ignoring case. */
export class PartyNameTakenError extends Error {
  override readonly name = "PartyNameTakenError";
}

export interface PartyRepository {
  find(accountId: string, id: string): Promise<Party | null>;
  findMany(accountId: string, ids: readonly string[]): Promise<Party[]>;
  list(accountId: string, filters: PartyFilters, page: PageRequest<"created_at">): Promise<Page<Party>>;
  /** Null when the account already has a party of that name, ignoring case. */
  create(
    accountId: string,
    party: { readonly id: string; readonly companyName: string; readonly now: Instant },
  ): Promise<Party | null>;
  /** Locks the party against changes until the transaction ends. */
  lock(accountId: string, id: string): Promise<Party | null>;
  /**
   * Updates a locked party. Rejects with `PartyNameTakenError`, after which the transaction can only be rolled back.
   */
  rename(
    accountId: string,
    id: string,
    { companyName, now }: { readonly companyName: string; readonly now: Instant },
  ): Promise<Party>;
}

export function createPartyRepository(sql: AccountSql): PartyRepository {
  return {
    find: (accountId, id) => firstRow(sql.rows<Party>(findOne, [accountId, id])),
    findMany: (accountId, ids) => sql.rows<Party>(findByIds, [accountId, ids]),
    list: (accountId, filters, page) => listRows<Party>(sql, listSource, accountId, conditionsOf(filters), page),
    async create(accountId, { id, companyName, now }) {
      return firstRow(sql.rows<Party>(insertOne, [accountId, id, companyName, now]));
    },
    lock: (accountId, id) => firstRow(sql.rows<Party>(lockOne, [accountId, id])),
    async rename(accountId, id, { companyName, now }) {
      const [party] = await sql.rows<Party>(renameOne, [accountId, id, companyName, now]).catch((error) => {
        // Another party got the name in a transaction that was not committed when this statement started.
        if (isViolation(error, "unique")) return [];
        throw error;
      });
      if (party) return party;
      throw new PartyNameTakenError();
    },
  };
}
