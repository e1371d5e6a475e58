import type { Instant } from "@svc/domain";
import type { CustomFieldDataType, CustomFieldDefinition, CustomFieldEntityType } from "@svc/domain/custom-fields";
import type { Page, PageRequest } from "@svc/domain/lists";
import { accountLock, advisoryLocks } from "../advisory-locks.ts";
import { conditionsOf, type FilterSql, type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";

const columns = `
  d.id, d.entity_type AS "entityType", d.api_slug AS "apiSlug", d.display_name AS "displayName",
  d.data_type AS "dataType", d.description, d.reference_type AS "referenceType", d.validation,
  d.default_format AS "defaultFormat", d.default_value AS "defaultValue",
  d.row_version AS "rowVersion", d.created_at AS "createdAt",
  ARRAY(SELECT o.value FROM custom_field_options o WHERE o.account_id = d.account_id AND o.definition_id = d.id
    ORDER BY o.position NULLS LAST, o.id) AS "optionValues"`;

const findOne: Statement = {
  name: "custom-field-definitions.find",
  text: `SELECT ${columns} FROM custom_field_definitions d WHERE d.account_id = $1 AND d.id = $2`,
};

const findByIds: Statement = {
  name: "custom-field-definitions.find-many",
  text: `SELECT ${columns} FROM custom_field_definitions d WHERE d.account_id = $1 AND d.id = ANY($2::uuid[])`,
};

const findBySlugs: Statement = {
  name: "custom-field-definitions.find-by-slugs",
  text: `
    SELECT ${columns} FROM custom_field_definitions d
    WHERE d.account_id = $1 AND (d.entity_type, d.api_slug) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
};

const lockForChange: Statement = {
  name: "custom-field-definitions.lock-for-change",
  text: "SELECT id FROM custom_field_definitions WHERE account_id = $1 AND id = $2 FOR UPDATE",
};

const lockForValue: Statement = {
  name: "custom-field-definitions.lock-for-value",
  text: "SELECT id FROM custom_field_definitions WHERE account_id = $1 AND entity_type = $2 AND api_slug = $3 FOR SHARE",
};

/** Creations of an account one by one, so that they cannot exceed their limit together. */
const acquireLock = accountLock("custom-field-definitions.acquire-lock", advisoryLocks.customFieldDefinitionsByAccount);

const countOfType: Statement = {
  name: "custom-field-definitions.count",
  text: "SELECT count(*) AS count FROM custom_field_definitions WHERE account_id = $1 AND entity_type = $2",
};

const insertOne = withNames(
  {
    name: "custom-field-definitions.insert",
    text: `
    INSERT INTO custom_field_definitions AS d (account_id, id, entity_type, api_slug, display_name, data_type,
      description, reference_type, validation, default_format, default_value, created_at, updated_at)
    VALUES (:accountId, :id, :entityType, :apiSlug, :displayName, :dataType, :description, :referenceType,
      :validation::jsonb, :defaultFormat, :defaultValue::jsonb, :createdAt, :createdAt)
    ON CONFLICT (account_id, entity_type, api_slug) DO NOTHING RETURNING ${columns}`,
  },
  [
    "id",
    "entityType",
    "apiSlug",
    "displayName",
    "dataType",
    "description",
    "referenceType",
    "validation",
    "defaultFormat",
    "defaultValue",
    "createdAt",
  ],
);

const editOne = withNames(
  {
    name: "custom-field-definitions.edit",
    text: `
    UPDATE custom_field_definitions d SET display_name = :displayName, description = :description,
      validation = :validation::jsonb, default_format = :defaultFormat, default_value = :defaultValue::jsonb,
      row_version = row_version + 1, updated_at = :now
    WHERE account_id = :accountId AND id = :id AND (:ifVersions::int[] IS NULL OR row_version = ANY(:ifVersions))
      AND (display_name, description, validation, default_format, default_value)
        IS DISTINCT FROM (:displayName, :description, :validation::jsonb, :defaultFormat, :defaultValue::jsonb)`,
  },
  ["id", "displayName", "description", "validation", "defaultFormat", "defaultValue", "now", "ifVersions"],
);

const deleteOne: Statement = {
  name: "custom-field-definitions.delete",
  text: `DELETE FROM custom_field_definitions
    WHERE account_id = $1 AND id = $2 AND ($3::int[] IS NULL OR row_version = ANY($3))`,
};

const listSource: ListSource = {
  name: "custom-field-definitions",
  table: "custom_field_definitions",
  alias: "d",
  scope: "d.account_id = $1",
  columns,
  joins: "",
  sortKeys: { created_at: { column: "d.created_at", type: "timestamptz" } },
};

/** Several values of one filter match any of them; several filters must all match. */
export interface CustomFieldDefinitionFilters {
  readonly entityType?: readonly CustomFieldEntityType[];
  readonly dataType?: readonly CustomFieldDataType[];
  readonly displayName?: readonly string[];
}

const filterSql: FilterSql<CustomFieldDefinitionFilters> = {
  entityType: (p) => `d.entity_type = ANY(${p}::text[])`,
  dataType: (p) => `d.data_type = ANY(${p}::text[])`,
  displayName: (p) => `d.display_name = ANY(${p}::text[])`,
};

export type NewCustomFieldDefinition = Omit<CustomFieldDefinition, "optionValues" | "rowVersion">;

export type CustomFieldDefinitionEdit = Pick<
  CustomFieldDefinition,
  "displayName" | "description" | "validation" | "defaultFormat" | "defaultValue"
>;

interface WriteOptions {
  readonly now: Instant;
  /** Versions of the definition that the change may start from; null: any. */
  readonly ifVersions: readonly number[] | null;
}

export interface CustomFieldDefinitionRepository {
  find(accountId: string, id: string): Promise<CustomFieldDefinition | null>;
  findMany(accountId: string, ids: readonly string[]): Promise<CustomFieldDefinition[]>;
  findBySlugs(
    accountId: string,
    slugs: readonly { readonly entityType: CustomFieldEntityType; readonly apiSlug: string }[],
  ): Promise<CustomFieldDefinition[]>;
  /**
   * Locks the definition, so that no other transaction writes its values or options until this one ends. Null when it
   * does not exist.
   */
  lockForChange(accountId: string, id: string): Promise<CustomFieldDefinition | null>;
  /** Locks the definition and its options against changes until the transaction ends; others may write values. */
  lockForValue(
    accountId: string,
    entity: CustomFieldEntityType,
    apiSlug: string,
  ): Promise<CustomFieldDefinition | null>;
  list(
    accountId: string,
    filters: CustomFieldDefinitionFilters,
    page: PageRequest<"created_at">,
  ): Promise<Page<CustomFieldDefinition>>;
  /**
   * Number of the definitions of an entity type. Takes a lock until the end of the transaction, so that concurrent
   * creations are counted one by one.
   */
  lockCount(accountId: string, entityType: CustomFieldEntityType): Promise<number>;
  /** Null when the entity type already has a definition with this slug. */
  create(accountId: string, definition: NewCustomFieldDefinition): Promise<CustomFieldDefinition | null>;
  /** Whether it was updated; false when nothing changes, the version differs, or it does not exist. */
  edit(accountId: string, id: string, edit: CustomFieldDefinitionEdit, options: WriteOptions): Promise<boolean>;
  /**
   * Deletes the definition with its options and values.
   * @returns whether it existed with the given version.
   */
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The values of the JSON columns. */
const toJsonValues = ({ validation, defaultValue }: CustomFieldDefinitionEdit) => ({
  validation: jsonOrNull(validation),
  defaultValue: jsonOrNull(defaultValue),
});

export function createCustomFieldDefinitionRepository(sql: AccountSql): CustomFieldDefinitionRepository {
  const find = (accountId: string, id: string): Promise<CustomFieldDefinition | null> =>
    firstRow(sql.rows<CustomFieldDefinition>(findOne, [accountId, id]));
  return {
    find,
    findMany: (accountId, ids) => sql.rows<CustomFieldDefinition>(findByIds, [accountId, ids]),
    findBySlugs(accountId, slugs) {
      const [types, names] = [slugs.map(({ entityType }) => entityType), slugs.map(({ apiSlug }) => apiSlug)];
      return sql.rows<CustomFieldDefinition>(findBySlugs, [accountId, types, names]);
    },
    async lockForChange(accountId, id) {
      const [locked] = await sql.rows<{ id: string }>(lockForChange, [accountId, id]);
      return locked ? find(accountId, locked.id) : null;
    },
    async lockForValue(accountId, entityType, apiSlug) {
      const [locked] = await sql.rows<{ id: string }>(lockForValue, [accountId, entityType, apiSlug]);
      return locked ? find(accountId, locked.id) : null;
    },
    list: (accountId, filters, page) =>
      listRows<CustomFieldDefinition>(sql, listSource, accountId, conditionsOf(filterSql, filters), page),
    async lockCount(accountId, entityType) {
      await sql.execute(acquireLock, [accountId]);
      const [row] = await sql.rows<{ count: number }>(countOfType, [accountId, entityType]);
      return row?.count ?? 0;
    },
    async create(accountId, definition) {
      const values = insertOne.values({ ...definition, ...toJsonValues(definition), accountId });
      const [row] = await sql.rows<CustomFieldDefinition>(insertOne, values);
      return row ?? null;
    },
    async edit(accountId, id, edit, { now, ifVersions }) {
      const values = editOne.values({ ...edit, ...toJsonValues(edit), accountId, id, now, ifVersions });
      return (await sql.execute(editOne, values)) > 0;
    },
    async delete(accountId, id, ifVersions) {
      return (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0;
    },
  };
}
