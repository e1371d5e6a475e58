import type { Instant } from "@svc/domain";
import { containerStatuses } from "@svc/domain/containers";
import type { Page, PagePosition, PageRequest } from "@svc/domain/lists";
import type { ContainerOverview, ShipmentOverview } from "@svc/domain/overviews";
import { type ContainerCondition, conditionFilters, containerConditions } from "@svc/domain/saved-views";
import { overviewStatuses, type ShipmentOverviewStatus } from "@svc/domain/shipments";
import { carrierReportedAt, type FreshnessFacts, shipmentFreshness } from "@svc/domain/tracking";
import { type Condition, type ListSource, listRows, numberConditions } from "../lists/list-rows.ts";
import { findPlaceIds } from "../shipments/place-ids.ts";
import { shipmentTerminalsRepliedAt } from "../shipments/terminals-replied.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { delayDays } from "./overview-arrivals.ts";
import {
  type ContainerOverviewFilters,
  containerOverviewConditions,
  type PlaceIds,
  type SharedOverviewFilters,
  type ShipmentOverviewFilters,
  shipmentOverviewConditions,
  statusIs,
} from "./overview-filters.ts";
import { containerSource, nameJoins, presentTime, shipmentSource, vesselName } from "./overview-tables.ts";

/** Sort values of rows without a value, by order of the list, so that they come last. */
export const missingSortValues = {
  delay: { ascending: "100000", descending: "-100000" },
  lastFreeDay: { ascending: "9999-12-31", descending: "0001-01-01" },
  lastChanged: { ascending: "9999-12-31T00:00:00Z", descending: "0001-01-01T00:00:00Z" },
} as const;

/** The last free day until the container is taken out full, as lists show it. */
const openLastFreeDay = "CASE WHEN o.full_out_at IS NULL THEN o.last_free_day END";

/** When the carrier last reported a change, as `lastChangedAt` of an overview. */
const lastChanged = (missing: string): string => `COALESCE((
  SELECT LEAST((t.progress->>'reportedAt')::timestamptz, t.last_changed_at) FROM tracking_subjects t
  WHERE t.account_id = o.account_id AND t.id = o.subject_id
  ), timestamptz '${missing}')`;

const sharedSortKeys = {
  created_at: { column: "o.created_at", type: "timestamptz" },
  updated_at: { column: "o.updated_at", type: "timestamptz" },
  last_changed_at: {
    column: lastChanged(missingSortValues.lastChanged.ascending),
    descending: lastChanged(missingSortValues.lastChanged.descending),
    type: "timestamptz",
    isUnindexed: true,
  },
  arrival: { column: "o.arrival_at", type: "timestamptz" },
  delay: {
    column: `COALESCE(${delayDays(presentTime)}, ${missingSortValues.delay.ascending})`,
    descending: `COALESCE(${delayDays(presentTime)}, ${missingSortValues.delay.descending})`,
    type: "int",
    isUnindexed: true,
  },
} as const;
const containerSortKeys = {
  ...sharedSortKeys,
  // The arrival is of the container or of its shipment, so that no index of either table has it.
  arrival: { ...sharedSortKeys.arrival, isUnindexed: true },
  number: { column: "o.number", type: "text" },
  last_free_day: {
    column: `COALESCE(${openLastFreeDay}::text, '${missingSortValues.lastFreeDay.ascending}')`,
    descending: `COALESCE(${openLastFreeDay}::text, '${missingSortValues.lastFreeDay.descending}')`,
    type: "text",
    isUnindexed: true,
  },
} as const;

export type ShipmentOverviewSortKey = keyof typeof sharedSortKeys;
export type ContainerOverviewSortKey = keyof typeof containerSortKeys;

const groups = {
  status: "o.status",
  port: "discharge.locode",
  customer: "customer.company_name",
  carrier: "o.shipping_line_scac",
  vessel: vesselName,
  tag: "tag",
  /** Monday of the week, in UTC. */
  arrival_week:
    "CASE WHEN o.arrival_at < timestamptz '9999-01-01' THEN date_trunc('week', o.arrival_at AT TIME ZONE 'UTC')::date::text END",
} as const;

export type OverviewGrouping = keyof typeof groups | "condition";
export const overviewGroupings = Object.keys(groups) as (keyof typeof groups)[];

/** Freshness is no column, so that silent carriers are not counted. */
const countedConditions = containerConditions.filter((condition) => condition !== "stale");
/** Conditions are computed for each row: more rows would take longer than a page may. */
const conditionRowsMax = 5_000;

export interface OverviewGroup {
  /** Null for records without a value. */
  readonly value: string | null;
  readonly count: number;
}

/** Rows of a batch. */
const batchSize = 500;
/** Maximum number of groups; only the largest are listed. */
const groupsMax = 100;
/**
 * Freshness is derived from the carrier's polling schedule and not stored, so it is computed for each polled shipment.
 */
const judgedMax = 20_000;

/** `stale`: whether the carrier does not respond, or has reported no change for longer than usual on such a voyage. */
export type RequestedFilters<Filters> = Filters & { readonly stale?: boolean };

export interface OverviewReader<Filters, Overview, SortKey extends string> {
  /** @param now on the tracking clock. */
  list(
    accountId: string,
    filters: RequestedFilters<Filters>,
    page: PageRequest<SortKey>,
    now: Instant,
  ): Promise<Page<Overview>>;
  /** All matching rows, in batches. */
  batches(
    accountId: string,
    filters: RequestedFilters<Filters>,
    order: Pick<PageRequest<SortKey>, "sortBy" | "descending">,
    now: Instant,
  ): AsyncGenerator<readonly Overview[], void, undefined>;
  /**
   * Number of matching records grouped by one value; the largest groups first. `upTo`: a status with more records
   * counts as `upTo + 1`, which is read from an index instead of from all records. `condition`: of containers, how many
   * meet each, all in one pass; none of more than `conditionRowsMax` records.
   */
  count(
    accountId: string,
    filters: RequestedFilters<Filters>,
    grouping: { readonly by: OverviewGrouping; readonly upTo?: number | undefined },
    now: Instant,
  ): Promise<readonly OverviewGroup[]>;
}

const findPolled: Statement = {
  name: "overviews.polled",
  text: `
    SELECT s.id, s.line_tracking_stopped_at AS "stoppedAt", s.created_at AS "trackedSince",
      t.progress - 'locations' AS progress, t.last_succeeded_at AS "lastSucceededAt",
      COALESCE(t.unchanged_polls, 0) AS "unchangedPolls", t.last_changed_at AS "lastChangedAt",
      t.not_found_since AS "notFoundSince",
      ${shipmentTerminalsRepliedAt} AS "terminalsRepliedAt"
    FROM shipments s LEFT JOIN tracking_subjects t ON t.account_id = s.account_id AND t.id = s.subject_id
    WHERE s.account_id = $1 AND s.line_tracking_stopped_at IS NULL ORDER BY s.created_at DESC,
      s.id DESC LIMIT ${judgedMax}`,
};

async function staleCondition(
  sql: AccountSql,
  accountId: string,
  stale: boolean | undefined,
  now: Instant,
): Promise<Condition[]> {
  if (stale === undefined) return [];
  const polled = await sql.rows<FreshnessFacts & { readonly id: string }>(findPolled, [accountId]);
  const value = polled.filter((state) => shipmentFreshness(state, now).freshness !== "fresh").map(({ id }) => id);
  const staleSql = (p: string) => `${stale ? "" : "NOT "}(o.shipment_id = ANY(${p}::uuid[]))`;
  return [{ key: "stale", value, sql: staleSql }];
}

const noPlaces: PlaceIds = { port: undefined, endPort: undefined, transshipmentPort: undefined };

type ConditionBuilder<Filters> = (filters: Filters, places: PlaceIds, now: Instant) => Condition[];

async function resolvedConditions<Filters extends SharedOverviewFilters>(
  sql: AccountSql,
  accountId: string,
  { stale, ...rest }: RequestedFilters<Filters>,
  buildConditions: ConditionBuilder<Filters>,
  now: Instant,
): Promise<Condition[]> {
  const filters = rest as unknown as Filters;
  const places = {
    port: await findPlaceIds(sql, accountId, filters.port),
    endPort: await findPlaceIds(sql, accountId, filters.endPort),
    transshipmentPort: await findPlaceIds(sql, accountId, filters.transshipmentPort),
  };
  return [...buildConditions(filters, places, now), ...(await staleCondition(sql, accountId, stale, now))];
}

/** The conditions of a list of containers on the columns of `containerTable AS o`. */
export const containerListConditions = (
  sql: AccountSql,
  accountId: string,
  filters: RequestedFilters<ContainerOverviewFilters>,
  now: Instant,
): Promise<Condition[]> => resolvedConditions(sql, accountId, filters, containerOverviewConditions, now);

type ReadRow<Overview> = Omit<Overview, "freshness"> &
  Pick<ShipmentOverview, "refNumbers" | "lastChangedAt" | "lineTrackingStoppedAt"> &
  Omit<FreshnessFacts, "lastChangedAt" | "stoppedAt"> & {
    readonly id: string;
    /** The value of the sort key. */
    readonly sortedBy: string | number;
  };

type CountedSource = Pick<ListSource, "table"> & {
  readonly statuses: readonly string[];
  /** SQL of whether a row has the status, which no user gives. */
  readonly statusIs: (status: string) => string;
};

/** Counts up to `conditionRowsMax` records first, and returns no row above it. */
function countByCondition(
  table: string,
  where: string,
  conditionSql: (condition: ContainerCondition) => string,
): string {
  const few = `(SELECT count(*) FROM (SELECT FROM ${table} AS o WHERE ${where}
    LIMIT ${conditionRowsMax + 1}) AS limited) <= ${conditionRowsMax}`;
  const counts = countedConditions.map((one) => `count(*) FILTER (WHERE ${conditionSql(one)})::int AS ${one}`);
  return `SELECT v.value, v.count
    FROM (SELECT ${counts.join(", ")} FROM ${table} AS o WHERE ${few} AND ${where} HAVING ${few}) AS c
    CROSS JOIN LATERAL (VALUES ${countedConditions.map((one) => `('${one}', c.${one})`).join(", ")}) AS v (value, count)
    ORDER BY v.count DESC, v.value`;
}

function countByGroup(
  { table, statuses, statusIs: hasStatus }: CountedSource,
  where: string,
  { by, upTo }: { readonly by: Exclude<OverviewGrouping, "condition">; readonly upTo: number | undefined },
): string {
  const each = by === "tag" ? "LEFT JOIN LATERAL unnest(o.tags) AS tag ON true" : "";
  // The order makes PostgreSQL use the index; with the limit alone it would read the table until it has enough.
  const countUpTo = (status: string, max: number): string => `
    SELECT '${status}' AS value, count(*)::int AS count FROM (SELECT 1 FROM ${table} AS o
      WHERE ${where} AND ${hasStatus(status)}
      ORDER BY o.created_at DESC, o.id DESC LIMIT ${max + 1}) AS capped`;
  const groupsText =
    by === "status" && upTo !== undefined
      ? statuses.map((status) => countUpTo(status, upTo)).join(" UNION ALL ")
      : `SELECT ${groups[by]} AS value, count(*)::int AS count FROM ${table} AS o ${nameJoins} ${each}
        WHERE ${where} GROUP BY 1`;
  return `SELECT * FROM (${groupsText}) AS counted
    WHERE count > 0 ORDER BY count DESC, value LIMIT ${groupsMax}`;
}

function createReader<Filters extends SharedOverviewFilters, Overview, SortKey extends string>(
  sql: AccountSql,
  source: ListSource &
    CountedSource & {
      /** What differs where all rows are read. */
      readonly ofBatches?: Pick<ListSource, "name" | "joins">;
    },
  buildConditions: ConditionBuilder<Filters>,
): OverviewReader<Filters, Overview, SortKey> {
  const conditions = (accountId: string, filters: RequestedFilters<Filters>, now: Instant) =>
    resolvedConditions(sql, accountId, filters, buildConditions, now);
  const toOverview = (row: ReadRow<Overview>, now: Instant): Overview => {
    const { progress, trackedSince, lastSucceededAt, unchangedPolls, notFoundSince, ...others } = row;
    const { terminalsRepliedAt = null, sortedBy: _, ...shown } = others;
    const { lastChangedAt, lineTrackingStoppedAt: stoppedAt } = row;
    const polling = { progress, lastSucceededAt, unchangedPolls, notFoundSince, terminalsRepliedAt };
    const facts = { ...polling, lastChangedAt, stoppedAt, trackedSince };
    const { freshness } = shipmentFreshness(facts, now);
    // A container and its shipment can have the same reference.
    const refNumbers = [...new Set(row.refNumbers)];
    return { ...shown, refNumbers, lastChangedAt: carrierReportedAt(facts), freshness } as Overview;
  };
  return {
    async list(accountId, filters, page, now) {
      const requestedConditions = await conditions(accountId, filters, now);
      const found = await listRows<ReadRow<Overview>>(sql, source, accountId, requestedConditions, page, [now]);
      return { ...found, items: found.items.map((row) => toOverview(row, now)) };
    },
    async *batches(accountId, filters, order, now) {
      const requestedConditions = await conditions(accountId, filters, now);
      const batchSource = { ...source, ...source.ofBatches };
      let position: PagePosition = { kind: "number", number: 1 };
      for (;;) {
        const page: PageRequest<SortKey> = { size: batchSize, ...order, position };
        const { items, hasMore } = await listRows<ReadRow<Overview>>(
          sql,
          batchSource,
          accountId,
          requestedConditions,
          page,
          [now],
        );
        yield items.map((row) => toOverview(row, now));
        const last = items.at(-1);
        if (!hasMore || !last) return;
        position = { kind: "after", row: { value: String(last.sortedBy), id: last.id } };
      }
    },
    async count(accountId, filters, { by, upTo }, now) {
      const values: [string, ...unknown[]] = [accountId];
      const where = [source.scope, ...numberConditions(await conditions(accountId, filters, now), values)].join(
        " AND ",
      );
      const text =
        by === "condition"
          ? countByCondition(source.table, where, (condition) =>
              numberConditions(containerOverviewConditions(conditionFilters(condition), noPlaces, now), values).join(
                " AND ",
              ),
            )
          : countByGroup(source, where, { by, upTo });
      return sql.rows<OverviewGroup>({ name: "", text }, values);
    },
  };
}

export type ContainerOverviewReader = OverviewReader<
  ContainerOverviewFilters,
  ContainerOverview,
  ContainerOverviewSortKey
>;
export type ShipmentOverviewReader = OverviewReader<ShipmentOverviewFilters, ShipmentOverview, ShipmentOverviewSortKey>;

export const createContainerOverviewReader = (sql: AccountSql): ContainerOverviewReader =>
  createReader(
    sql,
    {
      ...containerSource,
      sortKeys: containerSortKeys,
      statuses: containerStatuses,
      statusIs: (status) => `o.status = '${status}'`,
    },
    containerOverviewConditions,
  );

export const createShipmentOverviewReader = (sql: AccountSql): ShipmentOverviewReader =>
  createReader(
    sql,
    {
      ...shipmentSource,
      sortKeys: sharedSortKeys,
      statuses: overviewStatuses,
      statusIs: (status) => statusIs(status as ShipmentOverviewStatus),
    },
    shipmentOverviewConditions,
  );
