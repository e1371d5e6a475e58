import type { Instant } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { findPlaceIds } from "../shipments/place-ids.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { type ContainerFilters, containerFilterConditions } from "./container-filters.ts";
import { type ContainerRow, containerColumns, containerJoins, toContainer } from "./container-row.ts";
import { findContainersAsOf } from "./containers-as-of.ts";

const findOne: Statement = {
  name: "containers.find",
  text: `SELECT ${containerColumns} FROM containers c ${containerJoins} WHERE c.account_id = $1 AND c.id = $2`,
};

const findByIds: Statement = {
  name: "containers.find-many",
  text: `SELECT ${containerColumns} FROM containers c ${containerJoins}
    WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])`,
};

const findByShipments: Statement = {
  name: "containers.of-shipments",
  text: `SELECT ${containerColumns} FROM containers c ${containerJoins}
    WHERE c.account_id = $1 AND c.shipment_id = ANY($2::uuid[]) ORDER BY c.created_at DESC, c.number`,
};

const editOne: Statement = {
  name: "containers.edit",
  text: `
    WITH c AS (
      UPDATE containers SET ref_numbers = COALESCE($3::text[], ref_numbers), row_version = row_version + 1,
        updated_at = $4
      WHERE account_id = $1 AND id = $2 AND ($5::int[] IS NULL OR row_version = ANY($5))
        AND ref_numbers IS DISTINCT FROM COALESCE($3::text[], ref_numbers)
      RETURNING *)
    SELECT ${containerColumns} FROM c ${containerJoins}`,
};

const listSource: ListSource = {
  name: "containers",
  table: "own_containers",
  alias: "c",
  scope: "c.account_id = $1",
  columns: containerColumns,
  joins: containerJoins,
  sortKeys: {
    created_at: { column: "c.created_at", type: "timestamptz" },
    updated_at: { column: "c.updated_at", type: "timestamptz" },
    number: { column: "c.number", type: "text" },
  },
};

export type ContainerSortKey = "created_at" | "updated_at" | "number";

export interface ContainerRepository {
  find(accountId: string, id: string): Promise<Container | null>;
  /** Containers in no particular order; unknown ids are omitted. */
  findMany(accountId: string, ids: readonly string[]): Promise<Container[]>;
  /** Containers as known at `asOf`, like `ShipmentRepository.findManyAsOf`. */
  findManyAsOf(accountId: string, ids: readonly string[], asOf: Instant): Promise<Container[]>;
  /** Newest first, then by number. */
  findOfShipments(accountId: string, shipmentIds: readonly string[]): Promise<Container[]>;
  list(accountId: string, filters: ContainerFilters, page: PageRequest<ContainerSortKey>): Promise<Page<Container>>;
  /** Updates under the conditions of `ShipmentRepository.edit`. */
  edit(
    accountId: string,
    id: string,
    edit: { readonly refNumbers?: readonly string[] },
    options: { readonly now: Instant; readonly ifVersions: readonly number[] | null },
  ): Promise<Container | null>;
}

export function createContainerRepository(sql: AccountSql): ContainerRepository {
  return {
    async find(accountId, id) {
      const [row] = await sql.rows<ContainerRow>(findOne, [accountId, id]);
      return row ? toContainer(row) : null;
    },
    async findMany(accountId, ids) {
      return (await sql.rows<ContainerRow>(findByIds, [accountId, ids])).map(toContainer);
    },
    findManyAsOf: (accountId, ids, asOf) => findContainersAsOf(sql, accountId, ids, asOf),
    async findOfShipments(accountId, shipmentIds) {
      return (await sql.rows<ContainerRow>(findByShipments, [accountId, shipmentIds])).map(toContainer);
    },
    async list(accountId, filters, page) {
      const conditions = containerFilterConditions(filters, await findPlaceIds(sql, accountId, filters.port));
      const found = await listRows<ContainerRow>(sql, listSource, accountId, conditions, page);
      return { ...found, items: found.items.map(toContainer) };
    },
    async edit(accountId, id, edit, { now, ifVersions }) {
      const [row] = await sql.rows<ContainerRow>(editOne, [accountId, id, edit.refNumbers ?? null, now, ifVersions]);
      return row ? toContainer(row) : null;
    },
  };
}
