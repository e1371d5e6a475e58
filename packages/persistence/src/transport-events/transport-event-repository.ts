import type { Page, PageRequest, TransportEvent } from "@svc/domain";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql, Statement } from "../sql.ts";

/** Over `transport_events e` joined by `transportEventJoins`. */
const transportEventColumns = `
  e.id, e.shipment_id AS "shipmentId", e.container_id AS "containerId", e.event, e.occurred_at AS "occurredAt",
  e.time_zone AS "timeZone", e.time_precision AS "timePrecision", e.location_locode AS "locationLocode",
  e.port_id AS "portId", e.metro_area_id AS "metroAreaId", e.terminal_id AS "terminalId", t.kind AS "terminalKind",
  e.vessel_id AS "vesselId", e.voyage_number AS "voyageNumber", e.data_source AS "dataSource",
  e.previous_version_id AS "previousVersionId", e.invalidated_at AS "invalidatedAt", e.created_at AS "createdAt"`;

const transportEventJoins = "LEFT JOIN terminals t ON t.id = e.terminal_id";

const findSeveral: Statement = {
  name: "transport-events.find-many",
  text: `SELECT ${transportEventColumns} FROM transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.id = ANY($2::uuid[])`,
};

const ofContainers: Statement = {
  name: "transport-events.of-containers",
  text: `SELECT ${transportEventColumns} FROM transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND e.invalidated_at IS NULL
    ORDER BY e.occurred_at, e.id`,
};

const listSource: ListSource = {
  name: "transport-events",
  table: "transport_events",
  alias: "e",
  scope: "e.account_id = $1 AND e.invalidated_at IS NULL",
  columns: transportEventColumns,
  joins: transportEventJoins,
  sortKeys: { created_at: { column: "e.created_at", type: "timestamptz" } },
};

export interface TransportEventRepository {
  findMany(accountId: string, ids: readonly string[]): Promise<TransportEvent[]>;
  /** Those that hold, in order of time. */
  findOfContainers(accountId: string, containerIds: readonly string[]): Promise<TransportEvent[]>;
  /** Those of one container that hold. */
  listOfContainer(
    accountId: string,
    containerId: string,
    page: PageRequest<"created_at">,
  ): Promise<Page<TransportEvent>>;
}

export function createTransportEventRepository(sql: AccountSql): TransportEventRepository {
  return {
    findMany: (accountId, ids) => sql.rows<TransportEvent>(findSeveral, [accountId, ids]),
    findOfContainers: (accountId, containerIds) => sql.rows<TransportEvent>(ofContainers, [accountId, containerIds]),
    listOfContainer: (accountId, containerId, page) =>
      listRows<TransportEvent>(
        sql,
        listSource,
        accountId,
        [{ key: "container", sql: (p) => `e.container_id = ${p}::uuid`, value: containerId, isNarrow: true }],
        page,
      ),
  };
}
