import type { Instant, Page, PageRequest, Party } from "@svc/domain";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql, Statement } from "../sql.ts";

const columns = `y.id, y.company_name AS "companyName", y.row_version AS "rowVersion", y.created_at AS "createdAt", y.updated_at AS "updatedAt"`;

const findOne: Statement = {
  name: "parties.find",
  text: `SELECT ${columns} FROM parties y WHERE y.account_id = $1 AND y.id = $2`,
};

const findSeveral: Statement = {
  name: "parties.find-many",
  text: `SELECT ${columns} FROM parties y WHERE y.account_id = $1 AND y.id = ANY($2::uuid[])`,
};

const insertOne: Statement = {
  name: "parties.insert",
  text: `
    INSERT INTO parties AS y (account_id, id, company_name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
    ON CONFLICT (account_id, lower(company_name)) DO NOTHING RETURNING ${columns}`,
};

/** Renames unless another party of the account has the name. */
const renameOne: Statement = {
  name: "parties.rename",
  text: `
    WITH renamed AS (
      UPDATE parties SET company_name = $3, row_version = row_version + 1, updated_at = $4
      WHERE account_id = $1 AND id = $2 AND ($5::int[] IS NULL OR row_version = ANY($5)) AND company_name <> $3 AND NOT EXISTS (
        SELECT FROM parties other WHERE other.account_id = $1 AND lower(other.company_name) = lower($3) AND other.id <> $2)
      RETURNING id)
    SELECT renamed.id IS NOT NULL AS written, y.id, CASE WHEN renamed.id IS NULL THEN y.row_version ELSE y.row_version + 1 END AS "rowVersion", CASE WHEN renamed.id IS NULL THEN y.company_name ELSE $3 END AS "companyName", y.created_at AS "createdAt",
      CASE WHEN renamed.id IS NULL THEN y.updated_at ELSE $4 END AS "updatedAt"
    FROM parties y LEFT JOIN renamed ON renamed.id = y.id WHERE y.account_id = $1 AND y.id = $2`,
};

/** SQLSTATE. */
const uniqueViolation = "23505";

const listSource: ListSource = {
  name: "parties",
  table: "parties",
  alias: "y",
  scope: "y.account_id = $1",
  columns,
  joins: "",
  sortKeys: { created_at: { column: "y.created_at", type: "timestamptz" } },
};

export interface RenamedParty extends Party {
  /** Whether it got the name just now. */
  readonly written: boolean;
}

interface RenameOptions {
  readonly now: Instant;
  /** As ShipmentRepository.edit. */
  readonly ifVersions: readonly number[] | null;
}

export interface PartyRepository {
  find(accountId: string, id: string): Promise<Party | null>;
  findMany(accountId: string, ids: readonly string[]): Promise<Party[]>;
  list(accountId: string, page: PageRequest<"created_at">): Promise<Page<Party>>;
  /** Null when the account has a party of that name, in any case of letters. */
  create(
    accountId: string,
    party: { readonly id: string; readonly companyName: string; readonly now: Instant },
  ): Promise<Party | null>;
  /**
   * The party as it is afterwards: with its old name when another party has the new one, or when it has another version than
   * those wanted. Null when there is none.
   */
  rename(accountId: string, id: string, companyName: string, options: RenameOptions): Promise<RenamedParty | null>;
}

export function createPartyRepository(sql: AccountSql): PartyRepository {
  return {
    async find(accountId, id) {
      return (await sql.rows<Party>(findOne, [accountId, id]))[0] ?? null;
    },
    findMany: (accountId, ids) => sql.rows<Party>(findSeveral, [accountId, ids]),
    list: (accountId, page) => listRows<Party>(sql, listSource, accountId, [], page),
    async create(accountId, { id, companyName, now }) {
      return (await sql.rows<Party>(insertOne, [accountId, id, companyName, now]))[0] ?? null;
    },
    async rename(accountId, id, companyName, { now, ifVersions }) {
      try {
        return (await sql.rows<RenamedParty>(renameOne, [accountId, id, companyName, now, ifVersions]))[0] ?? null;
      } catch (error) {
        // Another party took the name at the same moment: this one keeps its own.
        if ((error as { code?: unknown }).code !== uniqueViolation) throw error;
        const [party] = await sql.rows<Party>(findOne, [accountId, id]);
        return party ? { ...party, written: false } : null;
      }
    },
  };
}
