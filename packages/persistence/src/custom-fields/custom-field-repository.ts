import type { Instant } from "@svc/domain";
import type {
  CustomField,
  CustomFieldEntityType,
  CustomFieldReferenceType,
  CustomFieldValue,
} from "@svc/domain/custom-fields";
import type { Page, PageRequest } from "@svc/domain/lists";
import { conditionsOf, type FilterSql, type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";
import { isChange } from "./record-changes.ts";
import { areRecordsMarked, markRecordsWithValues, type ValuesOfDefinition } from "./records-with-values.ts";

/** The text of a value that is not a list, without JSON quotes. */
const text = "(f.value #>> '{}')";
const fieldOptions =
  "FROM custom_field_options o WHERE o.account_id = f.account_id AND o.definition_id = f.definition_id";
const nameIn = (table: string, name: string): string =>
  `(SELECT r.${name} FROM ${table} r WHERE r.account_id = f.account_id AND r.id = ${text}::uuid)`;

const columns = `
  f.id, f.definition_id AS "definitionId", d.api_slug AS "apiSlug", f.entity_type AS "entityType",
  f.entity_id AS "entityId", f.value, f.row_version AS "rowVersion", f.created_at AS "createdAt",
  CASE d.data_type
    WHEN 'enum' THEN (SELECT o.label ${fieldOptions} AND o.value = ${text})
    WHEN 'enum_multi' THEN (
      SELECT string_agg(o.label, ', ' ORDER BY o.position NULLS LAST, o.id) ${fieldOptions}
        AND f.value @> to_jsonb(o.value))
    WHEN 'reference' THEN CASE d.reference_type
      WHEN 'Party' THEN ${nameIn("parties", "company_name")}
      WHEN 'Shipment' THEN ${nameIn("shipments", "bill_of_lading_number")}
      WHEN 'Container' THEN ${nameIn("containers", "number")}
      WHEN 'TrackingRequest' THEN ${nameIn("tracking_requests", "request_number")} END
    ELSE ${text} END AS "displayValue"`;
const joins = "JOIN custom_field_definitions d ON d.account_id = f.account_id AND d.id = f.definition_id";

const findOne: Statement = {
  name: "custom-fields.find",
  text: `SELECT ${columns} FROM custom_fields f ${joins} WHERE f.account_id = $1 AND f.id = $2`,
};

const findByEntity: Statement = {
  name: "custom-fields.find-of-entity",
  text: `
    SELECT ${columns} FROM custom_fields f ${joins}
    WHERE f.account_id = $1 AND f.entity_type = $2 AND f.entity_id = $3 AND d.api_slug = $4
    ORDER BY d.entity_type = f.entity_type DESC LIMIT 1`,
};

const findByEntities: Statement = {
  name: "custom-fields.find-of-entities",
  text: `
    SELECT ${columns} FROM custom_fields f ${joins}
    WHERE f.account_id = $1 AND f.entity_id = ANY($2::uuid[]) AND d.api_slug = ANY($3::text[])
    ORDER BY d.api_slug`,
};

const insertOne: Statement = {
  name: "custom-fields.insert",
  text: `
    INSERT INTO custom_fields (account_id, id, definition_id, entity_type, entity_id, value, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $7)
    ON CONFLICT (account_id, definition_id, entity_id) DO NOTHING`,
};

const editOne: Statement = {
  name: "custom-fields.edit",
  text: `
    UPDATE custom_fields SET value = $4::jsonb, row_version = row_version + 1, updated_at = $5
    WHERE account_id = $1 AND definition_id = $2 AND entity_id = $3 AND ($6::int[] IS NULL OR row_version = ANY($6))
      AND value IS DISTINCT FROM $4::jsonb`,
};

const lockShipment: Statement = {
  name: "custom-fields.lock-shipment",
  text: "SELECT FROM shipments WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE",
};
const lockContainer: Statement = {
  name: "custom-fields.lock-container",
  text: "SELECT FROM containers WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE",
};
const lockTrackingRequest: Statement = {
  name: "custom-fields.lock-tracking-request",
  text: "SELECT FROM tracking_requests WHERE account_id = $1 AND id = $2 FOR KEY SHARE",
};

const changeShipment: Statement = {
  name: "custom-fields.change-shipment",
  text: `UPDATE shipments SET ${isChange} WHERE account_id = $1 AND id = $2`,
};
const changeContainer: Statement = {
  name: "custom-fields.change-container",
  text: `UPDATE containers SET ${isChange} WHERE account_id = $1 AND id = $2`,
};

/** The condition on the counts has the record locked before the value, as by every other write of a value. */
const deleteOne: Statement = {
  name: "custom-fields.delete",
  text: `
    WITH field AS MATERIALIZED (
      SELECT account_id, id, entity_id FROM custom_fields
      WHERE account_id = $1 AND id = $2 AND ($3::int[] IS NULL OR row_version = ANY($3))),
    shipment AS (
      UPDATE shipments s SET ${isChange} FROM field
      WHERE s.account_id = field.account_id AND s.id = field.entity_id RETURNING 1),
    container AS (
      UPDATE containers c SET ${isChange} FROM field
      WHERE c.account_id = field.account_id AND c.id = field.entity_id RETURNING 1)
    DELETE FROM custom_fields f USING field
    WHERE f.account_id = field.account_id AND f.id = field.id AND ($3::int[] IS NULL OR f.row_version = ANY($3))
      AND (SELECT count(*) FROM shipment) + (SELECT count(*) FROM container) >= 0`,
};

const tables: Readonly<Record<CustomFieldReferenceType, string>> = {
  Party: "parties",
  Shipment: "shipments",
  Container: "containers",
  TrackingRequest: "tracking_requests",
};

const findRecords = (type: CustomFieldReferenceType): Statement => ({
  name: `custom-fields.find-${tables[type]}`,
  text: `SELECT id FROM ${tables[type]} WHERE account_id = $1 AND id = ANY($2::uuid[])`,
});

const listSource: ListSource = {
  name: "custom-fields",
  table: "custom_fields",
  alias: "f",
  scope: "f.account_id = $1",
  columns,
  joins,
  sortKeys: { created_at: { column: "f.created_at", type: "timestamptz" } },
};

/** Several values of one filter match any of them; several filters must all match. */
export interface CustomFieldFilters {
  readonly entityType?: readonly CustomFieldEntityType[];
  readonly entityId?: readonly string[];
  readonly definitionId?: readonly string[];
}

const filterSql: FilterSql<CustomFieldFilters> = {
  entityType: (p) => `f.entity_type = ANY(${p}::text[])`,
  entityId: (p) => `f.entity_id = ANY(${p}::uuid[])`,
  definitionId: (p) => `f.definition_id = ANY(${p}::uuid[])`,
};

/** The record that has the field. */
export interface CustomFieldEntity {
  readonly type: CustomFieldEntityType;
  readonly id: string;
}

interface WrittenValue {
  readonly definitionId: string;
  readonly entity: CustomFieldEntity;
  readonly value: CustomFieldValue;
  readonly now: Instant;
}

export interface CustomFieldRepository {
  find(accountId: string, id: string): Promise<CustomField | null>;
  findOfEntity(accountId: string, entity: CustomFieldEntity, apiSlug: string): Promise<CustomField | null>;
  /** The values of several records, of definitions with these slugs, ordered by slug. */
  findOfEntities(
    accountId: string,
    entityIds: readonly string[],
    apiSlugs: readonly string[],
  ): Promise<readonly CustomField[]>;
  list(accountId: string, filters: CustomFieldFilters, page: PageRequest<"created_at">): Promise<Page<CustomField>>;
  /** The given ids that are records of the account. */
  findRecords(accountId: string, type: CustomFieldReferenceType, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Locks the record before its values are written, in the same transaction. False when there is no such record. */
  lockRecord(accountId: string, entity: CustomFieldEntity): Promise<boolean>;
  /** Counts what was written as a change of the record. */
  markChanged(accountId: string, entity: CustomFieldEntity): Promise<void>;
  /** Counts the deletion of values as a change of their records, and locks these, before the definition is locked. */
  markRecordsWithValues(accountId: string, values: ValuesOfDefinition): Promise<void>;
  /** Whether the marked records are all; false when one got a value before the definition was locked. */
  areRecordsMarked(accountId: string, values: ValuesOfDefinition): Promise<boolean>;
  /** Whether it was inserted; false when the entity already has a value for the definition. */
  create(accountId: string, id: string, written: WrittenValue): Promise<boolean>;
  /** Whether it was updated; false when the value is unchanged, the version differs, or it does not exist. */
  edit(accountId: string, written: WrittenValue, ifVersions: readonly number[] | null): Promise<boolean>;
  delete(accountId: string, id: string, ifVersions: readonly number[] | null): Promise<boolean>;
}

export function createCustomFieldRepository(sql: AccountSql): CustomFieldRepository {
  return {
    find: (accountId, id) => firstRow(sql.rows<CustomField>(findOne, [accountId, id])),
    findOfEntity: (accountId, entity, apiSlug) =>
      firstRow(sql.rows<CustomField>(findByEntity, [accountId, entity.type, entity.id, apiSlug])),
    findOfEntities: (accountId, entityIds, apiSlugs) =>
      sql.rows<CustomField>(findByEntities, [accountId, entityIds, apiSlugs]),
    list: (accountId, filters, page) =>
      listRows<CustomField>(sql, listSource, accountId, conditionsOf(filterSql, filters), page),
    async findRecords(accountId, type, ids) {
      const rows = await sql.rows<{ id: string }>(findRecords(type), [accountId, ids]);
      return new Set(rows.map(({ id }) => id));
    },
    async lockRecord(accountId, { type, id }) {
      const values = [accountId, id] as const;
      if (type === "Shipment") return (await sql.execute(lockShipment, values)) > 0;
      if (type === "Container") return (await sql.execute(lockContainer, values)) > 0;
      return (await sql.execute(lockTrackingRequest, values)) > 0;
    },
    async markChanged(accountId, { type, id }) {
      if (type === "Shipment") await sql.execute(changeShipment, [accountId, id]);
      if (type === "Container") await sql.execute(changeContainer, [accountId, id]);
    },
    markRecordsWithValues: (accountId, values) => markRecordsWithValues(sql, accountId, values),
    areRecordsMarked: (accountId, values) => areRecordsMarked(sql, accountId, values),
    async create(accountId, id, { definitionId, entity, value, now }) {
      const values = [accountId, id, definitionId, entity.type, entity.id, JSON.stringify(value), now] as const;
      return (await sql.execute(insertOne, values)) > 0;
    },
    async edit(accountId, { definitionId, entity, value, now }, ifVersions) {
      const values = [accountId, definitionId, entity.id, JSON.stringify(value), now, ifVersions] as const;
      return (await sql.execute(editOne, values)) > 0;
    },
    async delete(accountId, id, ifVersions) {
      return (await sql.execute(deleteOne, [accountId, id, ifVersions])) > 0;
    },
  };
}
