import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import {
  type ListedEventName,
  type ListedTransportEvent,
  type TransportEvent,
  transportEventFields,
} from "@svc/domain/transport-events";
import { eventValidAt } from "../history/facts-as-of.ts";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import { selectList } from "../records/select-list.ts";
import type { AccountSql, Statement } from "../sql.ts";

const { value: _, ...milestoneFields } = transportEventFields;

/** Columns over `transport_events e` joined by `transportEventJoins`. */
const transportEventColumns = selectList(Object.keys(milestoneFields), "e", {
  terminalKind: "t.kind",
  sourceEventId: "e.observation_id",
});

export const transportEventJoins = "LEFT JOIN terminals t ON t.id = e.terminal_id";

/** Columns over `listed_transport_events e`: milestones, and changes of estimates, deadlines and appointments. */
export const listedColumns = `${transportEventColumns}, e.value`;

const findByIds: Statement = {
  name: "transport-events.find-many",
  text: `SELECT ${listedColumns} FROM listed_transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.id = ANY($2::uuid[])`,
};

const findByContainers: Statement = {
  name: "transport-events.of-containers",
  text: `SELECT ${transportEventColumns} FROM transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND e.invalidated_at IS NULL
    ORDER BY e.occurred_at, e.id`,
};

const findByContainersAsOf: Statement = {
  name: "transport-events.of-containers-as-of",
  text: `SELECT ${transportEventColumns} FROM transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND ${eventValidAt("$3")}
    ORDER BY e.occurred_at, e.id`,
};

const listByContainers: Statement = {
  name: "transport-events.listed-of-containers",
  text: `SELECT ${listedColumns} FROM listed_transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND e.invalidated_at IS NULL
    ORDER BY e.occurred_at, e.id LIMIT $3::bigint`,
};

const listByContainersAsOf: Statement = {
  name: "transport-events.listed-of-containers-as-of",
  text: `SELECT ${listedColumns} FROM listed_transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND ${eventValidAt("$3")}
    ORDER BY e.occurred_at, e.id`,
};

const listSource: ListSource = {
  name: "transport-events",
  table: "listed_transport_events",
  alias: "e",
  scope: "e.account_id = $1 AND e.invalidated_at IS NULL",
  columns: listedColumns,
  joins: transportEventJoins,
  sortKeys: { created_at: { column: "e.created_at", type: "timestamptz" } },
};

/** All versions, for reads as of a time. */
const allVersions: ListSource = { ...listSource, name: "transport-events-as-of", scope: "e.account_id = $1" };

const containerCondition = (value: string): Condition => ({
  key: "container",
  sql: (p) => `e.container_id = ${p}::uuid`,
  value,
  isNarrow: true,
});

const validAt = (value: Instant): Condition => ({ key: "then", sql: eventValidAt, value, isNarrow: true });

/** Null, because its later replacement was not known at that time. */
const asKnownThen = <Event extends TransportEvent | ListedTransportEvent>(event: Event): Event => ({
  ...event,
  invalidatedAt: null,
});

const nameCondition = (key: string, value: readonly ListedEventName[]): Condition => ({
  key,
  sql: (p) => `e.event = ANY(${p}::text[])`,
  value,
  isNarrow: true,
});

/** `names` and `kinds` both filter the events. */
export interface TransportEventFilters {
  readonly asOf?: Instant;
  readonly names?: readonly ListedEventName[];
  readonly kinds?: readonly ListedEventName[];
}

export interface TransportEventRepository {
  findMany(accountId: string, ids: readonly string[]): Promise<ListedTransportEvent[]>;
  /** The valid milestones, in order of time. */
  findOfContainers(accountId: string, containerIds: readonly string[]): Promise<TransportEvent[]>;
  /** The milestones that were valid at `asOf`, in order of time. */
  findOfContainersAsOf(accountId: string, containerIds: readonly string[], asOf: Instant): Promise<TransportEvent[]>;
  /** All valid listed events, in order of time; at most `limit` if given. */
  findListedOfContainers(
    accountId: string,
    containerIds: readonly string[],
    limit?: number,
  ): Promise<ListedTransportEvent[]>;
  /** The events that were valid at `asOf`, in order of time. */
  findListedOfContainersAsOf(
    accountId: string,
    containerIds: readonly string[],
    asOf: Instant,
  ): Promise<ListedTransportEvent[]>;
  /** The events of one container that are valid now or were valid at `asOf`. */
  listOfContainer(
    accountId: string,
    containerId: string,
    page: PageRequest<"created_at">,
    filters?: TransportEventFilters,
  ): Promise<Page<ListedTransportEvent>>;
}

export function createTransportEventRepository(sql: AccountSql): TransportEventRepository {
  return {
    findMany: (accountId, ids) => sql.rows<ListedTransportEvent>(findByIds, [accountId, ids]),
    findOfContainers: (accountId, containerIds) =>
      sql.rows<TransportEvent>(findByContainers, [accountId, containerIds]),
    async findOfContainersAsOf(accountId, containerIds, asOf) {
      const events = await sql.rows<TransportEvent>(findByContainersAsOf, [accountId, containerIds, asOf]);
      return events.map(asKnownThen);
    },
    findListedOfContainers: (accountId, containerIds, limit) =>
      sql.rows<ListedTransportEvent>(listByContainers, [accountId, containerIds, limit ?? null]),
    async findListedOfContainersAsOf(accountId, containerIds, asOf) {
      const events = await sql.rows<ListedTransportEvent>(listByContainersAsOf, [accountId, containerIds, asOf]);
      return events.map(asKnownThen);
    },
    async listOfContainer(accountId, containerId, page, { asOf, names, kinds } = {}) {
      const named = [
        ...(names ? [nameCondition("names", names)] : []),
        ...(kinds ? [nameCondition("kinds", kinds)] : []),
      ];
      const baseConditions = [containerCondition(containerId), ...named];
      if (asOf === undefined) return listRows<ListedTransportEvent>(sql, listSource, accountId, baseConditions, page);
      const conditions = [...baseConditions, validAt(asOf)];
      const then = await listRows<ListedTransportEvent>(sql, allVersions, accountId, conditions, page);
      return { ...then, items: then.items.map(asKnownThen) };
    },
  };
}
