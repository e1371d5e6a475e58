import type { Instant } from "@svc/domain";
import type { RouteRecords } from "@svc/domain/container-route";
import type { AccountSql, Sql } from "../sql.ts";
import { findContainerOfVoyage, type VesselVoyage } from "./container-of-voyage.ts";
import { readRouteRecords } from "./route-records.ts";
import { type ContainerRouteSource, readRouteSource, readRouteSources } from "./route-source-reader.ts";

export interface ContainerRouteReader {
  /**
   * The data from which a container's route is derived, with two statements. Null when the account has no such
   * container.
   */
  find(
    accountId: string,
    containerId: string,
    /** Time as of which the route is read. Default: now. */
    asOf?: Instant,
  ): Promise<{ readonly source: ContainerRouteSource; readonly records: RouteRecords } | null>;
  /** Sources and records of all containers of the shipments, read with two statements. */
  findOfShipments(
    accountId: string,
    shipmentIds: readonly string[],
  ): Promise<{ readonly sources: readonly ContainerRouteSource[]; readonly records: RouteRecords }>;
  /** The container of the account that represents a vessel's voyage best; null when none travels on it. */
  findContainerOfVoyage(accountId: string, voyage: VesselVoyage, now: Instant): Promise<string | null>;
}

/** @param shared reads reference data (places and vessels). */
export function createContainerRouteReader(sql: AccountSql, shared: Sql): ContainerRouteReader {
  return {
    async find(accountId, containerId, asOf) {
      const source = await readRouteSource(sql, accountId, containerId, asOf);
      return source && { source, records: await readRouteRecords(shared, source.observations) };
    },
    async findOfShipments(accountId, shipmentIds) {
      const sources = await readRouteSources(sql, accountId, shipmentIds);
      const observations = sources.flatMap((source) => source.observations);
      return { sources, records: await readRouteRecords(shared, observations) };
    },
    findContainerOfVoyage: (accountId, voyage, now) => findContainerOfVoyage(sql, accountId, voyage, now),
  };
}
