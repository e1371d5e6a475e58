import type { RouteRecords } from "@svc/domain";
import type { AccountSql, Sql } from "../sql.ts";
import { readRouteRecords } from "./route-records.ts";
import { type ContainerRouteSource, readRouteSource } from "./route-source-reader.ts";

export interface ContainerRouteReader {
  /** What a container's route follows from, with two statements. Null for an id that the account does not have. */
  find(
    accountId: string,
    containerId: string,
  ): Promise<{ readonly source: ContainerRouteSource; readonly records: RouteRecords } | null>;
}

/** `shared` reads what all accounts share: places and vessels. */
export function createContainerRouteReader(sql: AccountSql, shared: Sql): ContainerRouteReader {
  return {
    async find(accountId, containerId) {
      const source = await readRouteSource(sql, accountId, containerId);
      return source && { source, records: await readRouteRecords(shared, source.observations) };
    },
  };
}
