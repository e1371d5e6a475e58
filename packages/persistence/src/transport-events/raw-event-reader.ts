import type { Instant, Observation, Page, PageRequest, TransportEventName } from "@svc/domain";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";

/** A fact as the source stated it, with the milestone that was made of it. */
export interface RawEventRecord {
  readonly id: string;
  readonly fact: Omit<Observation, "id" | "observedAt">;
  readonly observedAt: Instant;
  /** Null: no milestone follows from it. */
  readonly event: TransportEventName | null;
  readonly portId: string | null;
  readonly metroAreaId: string | null;
  readonly vesselId: string | null;
  readonly timeZone: string | null;
}

/** $2 is always the container. */
const source: ListSource = {
  name: "raw-events",
  table: "observations",
  alias: "o",
  scope: "o.account_id = $1",
  columns: `o.id, o.fact, o.observed_at AS "observedAt", milestone.event, port.id AS "portId",
    CASE WHEN port.id IS NULL THEN area.id END AS "metroAreaId", vessel.id AS "vesselId",
    COALESCE(port.time_zone, area.time_zone) AS "timeZone"`,
  joins: `
    LEFT JOIN (
      SELECT DISTINCT ON (e.observation_id) e.observation_id, e.event FROM transport_events e
      WHERE e.account_id = $1 AND e.container_id = $2
      ORDER BY e.observation_id, e.created_at DESC) AS milestone ON milestone.observation_id = o.id
    LEFT JOIN ports port ON port.locode = o.fact -> 'place' ->> 'locode'
    LEFT JOIN metro_areas area ON area.locode = o.fact -> 'place' ->> 'locode'
    LEFT JOIN vessels vessel ON vessel.imo = o.fact -> 'call' -> 'vessel' ->> 'imo'`,
  // Ids are made in the order in which the facts were heard.
  sortKeys: { created_at: { column: "o.id", type: "uuid" } },
};

/** The facts of the container's shipment that name the container, or no container. */
const ofContainer = (p: string): string => {
  const container = `FROM containers c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.shipment_id
    WHERE c.account_id = $1 AND c.id = ${p}::uuid`;
  return `o.subject_id = (SELECT s.subject_id ${container})
    AND COALESCE(o.fact ->> 'containerNumber' = (SELECT c.number ${container}), true)`;
};

export interface RawEventReader {
  listOfContainer(
    accountId: string,
    containerId: string,
    page: PageRequest<"created_at">,
  ): Promise<Page<RawEventRecord>>;
}

export function createRawEventReader(sql: AccountSql): RawEventReader {
  return {
    listOfContainer: (accountId, containerId, page) =>
      listRows<RawEventRecord>(
        sql,
        source,
        accountId,
        [{ key: "container", sql: ofContainer, value: containerId, isNarrow: true }],
        page,
      ),
  };
}
