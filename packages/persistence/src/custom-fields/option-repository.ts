import type { Instant } from "@svc/domain";
import type { CustomFieldOption } from "@svc/domain/custom-fields";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";

const columns = `
  o.id, o.definition_id AS "definitionId", o.label, o.value, o.position, o.row_version AS "rowVersion",
  o.created_at AS "createdAt"`;

const findOne: Statement = {
  name: "custom-field-options.find",
  text: `SELECT ${columns} FROM custom_field_options o WHERE o.account_id = $1 AND o.definition_id = $2 AND o.id = $3`,
};

const insertOne: Statement = {
  name: "custom-field-options.insert",
  text: `
    INSERT INTO custom_field_options AS o (account_id, id, definition_id, label, value, position, created_at,
      updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
    ON CONFLICT (account_id, definition_id, value) DO NOTHING RETURNING ${columns}`,
};

const countOf: Statement = {
  name: "custom-field-options.count",
  text: `SELECT count(*)::int AS "count" FROM custom_field_options WHERE account_id = $1 AND definition_id = $2`,
};

/** The value does not change, because fields contain it. */
const editOne: Statement = {
  name: "custom-field-options.edit",
  text: `
    UPDATE custom_field_options SET label = $4, position = $5, row_version = row_version + 1, updated_at = $6
    WHERE account_id = $1 AND definition_id = $2 AND id = $3 AND ($7::int[] IS NULL OR row_version = ANY($7))
      AND (label, position) IS DISTINCT FROM ($4, $5)`,
};

/** Single-choice fields are deleted with the option; multiple-choice fields and the default keep the other options. */
const clearUse: Statement = {
  name: "custom-field-options.clear-use",
  text: `
    WITH single AS (
      DELETE FROM custom_fields WHERE account_id = $1 AND definition_id = $2 AND value = to_jsonb($3::text)),
    several AS (
      UPDATE custom_fields SET value = value - $3::text, row_version = row_version + 1, updated_at = $4
      WHERE account_id = $1 AND definition_id = $2 AND jsonb_typeof(value) = 'array' AND value @> to_jsonb($3::text))
    UPDATE custom_field_definitions SET updated_at = $4, row_version = row_version + 1,
      default_value = CASE WHEN jsonb_typeof(default_value) = 'array' THEN default_value - $3::text END
    WHERE account_id = $1 AND id = $2 AND default_value @> to_jsonb($3::text)`,
};

const deleteOne: Statement = {
  name: "custom-field-options.delete",
  text: `
    DELETE FROM custom_field_options
    WHERE account_id = $1 AND definition_id = $2 AND id = $3 AND ($4::int[] IS NULL OR row_version = ANY($4))`,
};

const listSource: ListSource = {
  name: "custom-field-options",
  table: "custom_field_options",
  alias: "o",
  scope: "o.account_id = $1",
  columns,
  joins: "",
  sortKeys: { created_at: { column: "o.created_at", type: "timestamptz" } },
};

interface WriteOptions {
  readonly now: Instant;
  readonly ifVersions: readonly number[] | null;
}

/** The options of definitions of the types "enum" and "enum_multi". */
export interface CustomFieldOptionRepository {
  find(accountId: string, definitionId: string, id: string): Promise<CustomFieldOption | null>;
  list(accountId: string, definitionId: string, page: PageRequest<"created_at">): Promise<Page<CustomFieldOption>>;
  count(accountId: string, definitionId: string): Promise<number>;
  /** Null when the definition already has an option with this value. */
  create(accountId: string, option: Omit<CustomFieldOption, "rowVersion">): Promise<CustomFieldOption | null>;
  edit(
    accountId: string,
    option: Pick<CustomFieldOption, "definitionId" | "id" | "label" | "position">,
    options: WriteOptions,
  ): Promise<boolean>;
  /** Removes the value from the fields and the default that contain it. */
  clearUse(accountId: string, option: Pick<CustomFieldOption, "definitionId" | "value">, now: Instant): Promise<void>;
  delete(accountId: string, definitionId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
}

export function createCustomFieldOptionRepository(sql: AccountSql): CustomFieldOptionRepository {
  return {
    find: (accountId, definitionId, id) =>
      firstRow(sql.rows<CustomFieldOption>(findOne, [accountId, definitionId, id])),
    list(accountId, definitionId, page) {
      const definitionSql = (p: string): string => `o.definition_id = ${p}::uuid`;
      const definitionCondition = {
        key: "definition",
        sql: definitionSql,
        value: definitionId,
        isNarrow: true,
      } as const;
      return listRows<CustomFieldOption>(sql, listSource, accountId, [definitionCondition], page);
    },
    async count(accountId, definitionId) {
      const [row] = await sql.rows<{ count: number }>(countOf, [accountId, definitionId]);
      return row?.count ?? 0;
    },
    async create(accountId, { id, definitionId, label, value, position, createdAt }) {
      const values = [accountId, id, definitionId, label, value, position, createdAt] as const;
      return firstRow(sql.rows<CustomFieldOption>(insertOne, values));
    },
    async edit(accountId, { definitionId, id, label, position }, { now, ifVersions }) {
      return (await sql.execute(editOne, [accountId, definitionId, id, label, position, now, ifVersions])) > 0;
    },
    async clearUse(accountId, { definitionId, value }, now) {
      await sql.execute(clearUse, [accountId, definitionId, value, now]);
    },
    async delete(accountId, definitionId, id, ifVersions) {
      return (await sql.execute(deleteOne, [accountId, definitionId, id, ifVersions])) > 0;
    },
  };
}
