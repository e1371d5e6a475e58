import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { RawEvent, ReportedFact } from "@svc/domain/transport-events";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql, Statement } from "../sql.ts";

/** $2 is always the container. */
const source: ListSource = {
  name: "raw-events",
  table: "observations",
  alias: "o",
  scope: "o.account_id = $1",
  columns: `o.id, o.fact, o.observed_at AS "observedAt", milestone.event, port.id AS "portId",
    CASE WHEN port.id IS NULL THEN area.id END AS "metroAreaId", vessel.id AS "vesselId",
    COALESCE(port.time_zone, area.time_zone) AS "timeZone", COALESCE(port.name, area.name) AS "placeName"`,
  joins: `
    LEFT JOIN (
      SELECT DISTINCT ON (e.observation_id) e.observation_id, e.event FROM transport_events e
      WHERE e.account_id = $1 AND e.container_id = $2
      ORDER BY e.observation_id, e.created_at DESC) AS milestone ON milestone.observation_id = o.id
    LEFT JOIN ports port ON port.locode = o.fact -> 'place' ->> 'locode'
    LEFT JOIN metro_areas area ON area.locode = o.fact -> 'place' ->> 'locode'
    LEFT JOIN vessels vessel ON vessel.imo = o.fact -> 'call' -> 'vessel' ->> 'imo'`,
  // Ids are in order of receipt.
  sortKeys: { created_at: { column: "o.id", type: "uuid" } },
};

/** The facts of the container's shipment that name this container or none. */
const containerSql = (p: string): string => {
  const container = `FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
    WHERE c.account_id = $1 AND c.id = ${p}::uuid`;
  return `o.subject_id = (SELECT s.subject_id ${container})
    AND COALESCE(o.fact ->> 'containerNumber' = (SELECT c.number ${container}), true)`;
};

/** Raw events of containers `c` of shipments `s`: those that name the container, and those that name none. */
const containerEvents = `containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
  JOIN observations o ON o.account_id = c.account_id AND o.subject_id = s.subject_id
    AND (o.container_number = c.number OR o.container_number IS NULL)`;

const indexedColumns = `o.id, o.fact, o.observed_at AS "observedAt", o."containerId", o.index, milestone.event,
  port.id AS "portId", CASE WHEN port.id IS NULL THEN area.id END AS "metroAreaId", vessel.id AS "vesselId",
  COALESCE(port.time_zone, area.time_zone) AS "timeZone", COALESCE(port.name, area.name) AS "placeName",
  s.shipping_line_scac AS "carrierScac", line.name AS "carrierName",
  jsonb_build_object('portOfLading', pol.locode, 'portOfDischarge', pod.locode,
    'destination', COALESCE(destination.locode, inland.locode),
    'departureAt', to_char(COALESCE(s.pol_atd_at, s.pol_etd_at) AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS voyage`;

const indexedJoins = `
  JOIN shipments s ON s.account_id = $1 AND s.id = o."shipmentId"
  LEFT JOIN shipping_lines line ON line.scac = s.shipping_line_scac
  LEFT JOIN ports pol ON pol.id = s.port_of_lading_id
  LEFT JOIN ports pod ON pod.id = s.port_of_discharge_id
  LEFT JOIN ports destination ON destination.id = s.destination_port_id
  LEFT JOIN metro_areas inland ON inland.id = s.destination_metro_area_id
  LEFT JOIN LATERAL (
    SELECT e.event FROM transport_events e
    WHERE e.account_id = $1 AND e.container_id = o."containerId" AND e.observation_id = o.id
    ORDER BY e.created_at DESC LIMIT 1) AS milestone ON true
  LEFT JOIN ports port ON port.locode = o.fact -> 'place' ->> 'locode'
  LEFT JOIN metro_areas area ON area.locode = o.fact -> 'place' ->> 'locode'
  LEFT JOIN vessels vessel ON vessel.imo = o.fact -> 'call' -> 'vessel' ->> 'imo'`;

/**
 * Numbered over all raw events of one container, a few hundred. $2 is always the container: the condition only binds
 * it.
 */
const indexedSource: ListSource = {
  name: "raw-events-by-index",
  table: `(
    SELECT o.*, c.id AS "containerId", s.id AS "shipmentId",
      row_number() OVER (ORDER BY o.fact ->> 'eventAt', o.id)::int - 1 AS index
    FROM ${containerEvents} WHERE c.account_id = $1 AND c.id = $2::uuid)`,
  alias: "o",
  scope: "o.account_id = $1",
  columns: indexedColumns,
  joins: indexedJoins,
  sortKeys: { index: { column: "o.index", type: "int" }, created_at: { column: "o.id", type: "uuid" } },
};

const bindContainer = (p: string): string => `${p}::uuid IS NOT NULL`;

const findByIds: Statement = {
  name: "raw-events.find-many",
  text: `
    WITH wanted AS (
      SELECT DISTINCT ON (o.id) o.id, c.id AS "containerId" FROM ${containerEvents}
      WHERE c.account_id = $1 AND o.id = ANY($2::uuid[]) ORDER BY o.id, c.id)
    SELECT ${indexedColumns} FROM (
      SELECT o.*, c.id AS "containerId", s.id AS "shipmentId",
        row_number() OVER (PARTITION BY c.id ORDER BY o.fact ->> 'eventAt', o.id)::int - 1 AS index
      FROM ${containerEvents} WHERE c.account_id = $1 AND c.id IN (SELECT "containerId" FROM wanted)) AS o
    JOIN wanted ON wanted.id = o.id AND wanted."containerId" = o."containerId" ${indexedJoins}`,
};

export interface RawEventReader {
  /** Finds raw events by id, in no particular order. One without a container is returned with one of its shipment's. */
  findMany(accountId: string, ids: readonly string[]): Promise<RawEvent[]>;
  listByIndex(
    accountId: string,
    containerId: string,
    page: PageRequest<"index" | "created_at">,
  ): Promise<Page<RawEvent>>;
  /** Lists what was reported of a container; with `asOf`, only what was received until then. */
  listOfContainer(
    accountId: string,
    containerId: string,
    page: PageRequest<"created_at">,
    asOf?: Instant,
  ): Promise<Page<ReportedFact>>;
}

export function createRawEventReader(sql: AccountSql): RawEventReader {
  return {
    findMany: (accountId, ids) => sql.rows<RawEvent>(findByIds, [accountId, ids]),
    listByIndex: (accountId, containerId, page) =>
      listRows<RawEvent>(
        sql,
        indexedSource,
        accountId,
        [{ key: "container", sql: bindContainer, value: containerId, isNarrow: true }],
        page,
      ),
    listOfContainer(accountId, containerId, page, asOf) {
      const isNarrow = true as const;
      const known = { key: "until", sql: (p: string) => `o.observed_at <= ${p}::timestamptz`, value: asOf, isNarrow };
      const conditions = [
        { key: "container", sql: containerSql, value: containerId, isNarrow },
        ...(asOf === undefined ? [] : [known]),
      ];
      return listRows<ReportedFact>(sql, source, accountId, conditions, page);
    },
  };
}
