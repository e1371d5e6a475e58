import type { EdiFile, EdiFileSource, EdiFileStatus, ListedEdiFile } from "@svc/domain/edi-files";
import type { Page, PageRequest } from "@svc/domain/lists";
import { conditionsOf, type FilterSql, type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, type AccountValues, firstRow, type SqlWith, type Statement } from "../sql.ts";
import { ediFileColumns, listedEdiFileColumns } from "./edi-file-columns.ts";

const findOne: Statement = {
  name: "edi-files.find",
  text: `SELECT ${ediFileColumns} FROM edi_files f WHERE account_id = $1 AND id = $2`,
};

export function findEdiFile(sql: SqlWith<AccountValues>, accountId: string, id: string): Promise<EdiFile | null> {
  return firstRow(sql.rows<EdiFile>(findOne, [accountId, id]));
}

const findContent: Statement = {
  name: "edi-files.content",
  text: "SELECT body FROM event_messages WHERE account_id = $1 AND id = $2 AND channel = 'edi'",
};

const listSource: ListSource = {
  name: "edi-files",
  table: "edi_files",
  alias: "f",
  scope: "f.account_id = $1",
  columns: listedEdiFileColumns,
  joins: "",
  sortKeys: { created_at: { column: "f.received_at", type: "timestamptz" } },
};

/** Several values of one filter match any of them; several filters must all match. */
export interface EdiFileFilters {
  readonly status?: readonly EdiFileStatus[];
  readonly source?: readonly EdiFileSource[];
  readonly partner?: readonly string[];
  /** Exact. */
  readonly sender?: readonly string[];
  readonly hasFaults?: boolean;
}

const filterSql: FilterSql<EdiFileFilters> = {
  status: (p) => `f.status = ANY(${p}::text[])`,
  source: (p) => `f.source = ANY(${p}::text[])`,
  partner: (p) => `f.partner = ANY(${p}::text[])`,
  sender: (p) => `f.sender = ANY(${p}::text[])`,
  hasFaults: (p) => `(COALESCE((f.result->>'faultCount')::int, 0) > 0) = ${p}::boolean`,
};

export interface EdiFileReader {
  find(accountId: string, id: string): Promise<EdiFile | null>;
  /** gzip of the bytes as they were received; null: there is no such file, or it was refused before it was stored. */
  gzippedContent(accountId: string, id: string): Promise<Uint8Array | null>;
  list(accountId: string, filters: EdiFileFilters, page: PageRequest<"created_at">): Promise<Page<ListedEdiFile>>;
}

export function createEdiFileReader(sql: AccountSql): EdiFileReader {
  return {
    find: (accountId, id) => findEdiFile(sql, accountId, id),
    async gzippedContent(accountId, id) {
      return (await sql.rows<{ body: Uint8Array }>(findContent, [accountId, id]))[0]?.body ?? null;
    },
    list: (accountId, filters, page) =>
      listRows<ListedEdiFile>(sql, listSource, accountId, conditionsOf(filterSql, filters), page),
  };
}
