import type { Instant } from "@svc/domain";
import { type LocatedContainer, locationByLastEvent, statusesOffTheMap } from "@svc/domain/container-positions";
import type { RouteRecords } from "@svc/domain/container-route";
import type { ContainerLocation } from "@svc/domain/derivation";
import { readNamedRecords } from "../container-route/route-records.ts";
import { numberConditions } from "../lists/list-rows.ts";
import type { AccountSql, Sql, Statement } from "../sql.ts";
import { delayDays } from "./overview-arrivals.ts";
import type { ContainerOverviewFilters } from "./overview-filters.ts";
import { containerListConditions, type RequestedFilters } from "./overview-reader.ts";
import { containerTable } from "./overview-tables.ts";

/** Maximum number of containers of one map; the newest are read. */
const locatedMax = 20_000;

interface LocatedRow extends Omit<LocatedContainer, "location"> {
  readonly stored: ContainerLocation | null;
  readonly event: string | null;
  readonly occurredAt: Instant | null;
  readonly locode: string | null;
  readonly vesselImo: string | null;
  readonly vesselName: string | null;
  readonly podLocode: string | null;
  readonly podEtaAt: Instant | null;
}

/** The last event is read only of containers whose location is not stored. */
const lastEvent = `
  LEFT JOIN LATERAL (
    SELECT e.event, e.occurred_at AS "occurredAt", e.location_locode AS locode, v.imo AS "vesselImo",
      v.name AS "vesselName"
    FROM transport_events e LEFT JOIN vessels v ON v.id = e.vessel_id
    WHERE polling.progress -> 'locations' -> o.number IS NULL AND e.account_id = o.account_id AND e.container_id = o.id
      AND e.invalidated_at IS NULL AND e.occurred_at IS NOT NULL
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS latest ON true`;

/** Exceptions of a shipment are those of each of its containers. Snoozed ones do not count. */
const hasOpenException = (now: string): string => {
  const open = `x.account_id = $1 AND x.ended_at IS NULL AND x.resolved_at IS NULL
    AND (x.snoozed_until IS NULL OR x.snoozed_until <= ${now}::timestamptz)`;
  return `(o.id IN (SELECT x.container_id FROM exceptions x WHERE ${open} AND x.container_id IS NOT NULL)
    OR o.shipment_id IN (SELECT x.shipment_id FROM exceptions x
      WHERE ${open} AND x.container_id IS NULL AND x.shipment_id IS NOT NULL))`;
};

const statement = (where: readonly string[], now: string): Statement => ({
  name: "",
  text: `
    SELECT o.id, o.number, o.shipment_id AS "shipmentId", o.status, ${delayDays(`${now}::timestamptz`)} AS "delayDays",
      ${hasOpenException(now)} AS "hasOpenException",
      COALESCE(o.holds @> '[{"status": "hold"}]', false) AS "isHeld", o.pod_ata_at IS NOT NULL AS "hasArrived",
      polling.progress -> 'locations' -> o.number AS stored,
      latest.*, discharge.locode AS "podLocode", o.pod_eta_at AS "podEtaAt"
    FROM (SELECT * FROM ${containerTable} AS o WHERE ${where.join(" AND ")}
      ORDER BY o.created_at DESC, o.id DESC LIMIT ${locatedMax + 1}) AS o
    LEFT JOIN ports discharge ON discharge.id = o.port_of_discharge_id
    LEFT JOIN tracking_subjects polling ON polling.account_id = o.account_id AND polling.id = o.subject_id
    ${lastEvent}`,
});

export interface LocatedContainers {
  readonly containers: readonly LocatedContainer[];
  /** False: the account has more than `locatedMax`. */
  readonly isWhole: boolean;
  /** The records of all places and vessels of the locations. */
  readonly records: RouteRecords;
}

export interface ContainerLocationReader {
  /** The containers that match and can be on a map, with two statements and those of the filters. */
  find(
    accountId: string,
    filters: RequestedFilters<ContainerOverviewFilters>,
    now: Instant,
  ): Promise<LocatedContainers>;
}

/** @param shared reads reference data (places and vessels). */
export function createContainerLocationReader(sql: AccountSql, shared: Sql): ContainerLocationReader {
  return {
    async find(accountId, filters, now) {
      const values: [string, ...unknown[]] = [accountId];
      const place = (value: unknown): string => `$${values.push(value)}`;
      const conditions = await containerListConditions(sql, accountId, filters, now);
      const where = [
        "o.account_id = $1",
        `o.status <> ALL(${place(statusesOffTheMap)}::text[])`,
        ...numberConditions(conditions, values),
      ];
      const rows = await sql.rows<LocatedRow>(statement(where, place(now)), values);
      const containers = rows.slice(0, locatedMax).map(locatedContainer);
      const locations = containers.map(({ location }) => location);
      const legs = locations.map(({ leg }) => leg).filter((leg) => leg !== null);
      const records = await readNamedRecords(shared, {
        locodes: [...locations.map(({ locode }) => locode), ...legs.flatMap(({ from, to }) => [from, to])],
        facilityCodes: [],
        vessels: legs.map(({ vessel }) => vessel),
      });
      return { containers, isWhole: rows.length <= locatedMax, records };
    },
  };
}

const unknownLocation: ContainerLocation = { leg: null, locode: null };

function locatedContainer(row: LocatedRow): LocatedContainer {
  const { stored, event, occurredAt, locode, vesselImo, vesselName, podLocode, podEtaAt, ...container } = row;
  if (stored !== null || event === null || occurredAt === null)
    return { ...container, location: stored ?? unknownLocation };
  const vessel = vesselImo === null && vesselName === null ? null : { imo: vesselImo, name: vesselName };
  return {
    ...container,
    location: locationByLastEvent({ event, occurredAt, locode, vessel, podLocode, podEtaAt }),
  };
}
