import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { Shipment } from "@svc/domain/shipments";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";
import { findPlaceIds } from "./place-ids.ts";
import { arrivalExpression, type ShipmentFilters, shipmentConditions } from "./shipment-filters.ts";
import { type ShipmentRow, shipmentColumns, shipmentJoins, toShipments } from "./shipment-row.ts";
import { findShipmentsAsOf } from "./shipments-as-of.ts";

const findOne: Statement = {
  name: "shipments.find",
  text: `SELECT ${shipmentColumns} FROM shipments s ${shipmentJoins} WHERE s.account_id = $1 AND s.id = $2`,
};

const findByIds: Statement = {
  name: "shipments.find-many",
  text: `SELECT ${shipmentColumns} FROM shipments s ${shipmentJoins} WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`,
};

const lockNote: Statement = {
  name: "shipments.lock-note",
  text: "SELECT note FROM shipments WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE",
};

/** Writes and reads in one round trip. */
const editOne: Statement = {
  name: "shipments.edit",
  text: `
    WITH s AS (
      UPDATE shipments SET ref_numbers = COALESCE($3::text[], ref_numbers), tags = COALESCE($4::text[], tags),
        note = CASE WHEN $7::bool THEN $8::text ELSE note END,
        customer_id = CASE WHEN $9::bool THEN $10::uuid ELSE customer_id END,
        row_version = row_version + 1, updated_at = $5
      WHERE account_id = $1 AND id = $2 AND ($6::int[] IS NULL OR row_version = ANY($6))
        AND (ref_numbers IS DISTINCT FROM COALESCE($3::text[], ref_numbers) OR tags IS DISTINCT
          FROM COALESCE($4::text[], tags) OR ($7::bool AND note IS DISTINCT FROM $8::text)
          OR ($9::bool AND customer_id IS DISTINCT FROM $10::uuid))
      RETURNING *)
    SELECT ${shipmentColumns} FROM s ${shipmentJoins}`,
};

const listSource: ListSource = {
  name: "shipments",
  table: "own_shipments",
  alias: "s",
  scope: "s.account_id = $1",
  columns: shipmentColumns,
  joins: shipmentJoins,
  sortKeys: {
    created_at: { column: "s.created_at", type: "timestamptz" },
    updated_at: { column: "s.updated_at", type: "timestamptz" },
    arrival: { column: arrivalExpression, type: "timestamptz" },
  },
};

export type ShipmentSortKey = "created_at" | "updated_at" | "arrival";

/** The attributes that a user may change; absent members stay unchanged. */
export interface ShipmentEdit {
  readonly refNumbers?: readonly string[];
  readonly tags?: readonly string[];
  /** Null removes it. */
  readonly note?: string | null;
  /** The id of a party of the account. Null removes it. */
  readonly customerId?: string | null;
}

export interface ShipmentRepository {
  find(accountId: string, id: string): Promise<Shipment | null>;
  /** Shipments in no particular order; unknown ids are omitted. */
  findMany(accountId: string, ids: readonly string[]): Promise<Shipment[]>;
  /** Shipments as known at `asOf` (docs/freshness.md), in no particular order; those not known yet are omitted. */
  findManyAsOf(accountId: string, ids: readonly string[], asOf: Instant): Promise<Shipment[]>;
  list(accountId: string, filters: ShipmentFilters, page: PageRequest<ShipmentSortKey>): Promise<Page<Shipment>>;
  /** The note of a shipment, which is locked against changes until the transaction ends; null also if there is none. */
  lockNote(accountId: string, id: string): Promise<string | null>;
  /**
   * Updates only if a value changes and the row has the given version, if any.
   * @returns the changed shipment; null when nothing was written.
   */
  edit(
    accountId: string,
    id: string,
    edit: ShipmentEdit,
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<Shipment | null>;
}

export function createShipmentRepository(sql: AccountSql): ShipmentRepository {
  const one = async (accountId: string, rows: readonly ShipmentRow[]): Promise<Shipment | null> =>
    firstRow(toShipments(sql, accountId, rows));
  return {
    async find(accountId, id) {
      return one(accountId, await sql.rows<ShipmentRow>(findOne, [accountId, id]));
    },
    async findMany(accountId, ids) {
      return toShipments(sql, accountId, await sql.rows<ShipmentRow>(findByIds, [accountId, ids]));
    },
    findManyAsOf: (accountId, ids, asOf) => findShipmentsAsOf(sql, accountId, ids, asOf),
    async list(accountId, filters, page) {
      const conditions = shipmentConditions(filters, await findPlaceIds(sql, accountId, filters.port));
      const found = await listRows<ShipmentRow>(sql, listSource, accountId, conditions, page);
      return { ...found, items: await toShipments(sql, accountId, found.items) };
    },
    async lockNote(accountId, id) {
      return (await sql.rows<{ note: string | null }>(lockNote, [accountId, id]))[0]?.note ?? null;
    },
    async edit(accountId, id, edit, { now, ifVersions }) {
      const { refNumbers = null, tags = null, note, customerId } = edit;
      const lists = [refNumbers, tags, now, ifVersions];
      const nullable = [note !== undefined, note ?? null, customerId !== undefined, customerId ?? null];
      const rows = await sql.rows<ShipmentRow>(editOne, [accountId, id, ...lists, ...nullable]);
      return one(accountId, rows);
    },
  };
}
