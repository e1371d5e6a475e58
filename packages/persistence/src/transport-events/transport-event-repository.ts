import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import {
  type ListedEventName,
  type ListedTransportEvent,
  type TransportEvent,
  transportEventFields,
} from "@svc/domain/transport-events";
import { eventHeldAt } from "../history/facts-as-of.ts";
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

const findSeveral: Statement = {
  name: "transport-events.find-many",
  text: `SELECT ${listedColumns} FROM listed_transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.id = ANY($2::uuid[])`,
};

const ofContainers: Statement = {
  name: "transport-events.of-containers",
  text: `SELECT ${transportEventColumns} FROM transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND e.invalidated_at IS NULL
    ORDER BY e.occurred_at, e.id`,
};

const ofContainersAsOf: Statement = {
  name: "transport-events.of-containers-as-of",
  text: `SELECT ${transportEventColumns} FROM transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND ${eventHeldAt("$3")}
    ORDER BY e.occurred_at, e.id`,
};

const listedOfContainers: Statement = {
  name: "transport-events.listed-of-containers",
  text: `SELECT ${listedColumns} FROM listed_transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND e.invalidated_at IS NULL
    ORDER BY e.occurred_at, e.id LIMIT $3::bigint`,
};

const listedOfContainersAsOf: Statement = {
  name: "transport-events.listed-of-containers-as-of",
  text: `SELECT ${listedColumns} FROM listed_transport_events e ${transportEventJoins}
    WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND ${eventHeldAt("$3")}
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

const ofContainer = (value: string): Condition => ({
  key: "container",
  sql: (p) => `e.container_id = ${p}::uuid`,
  value,
  isNarrow: true,
});

const heldAt = (value: Instant): Condition => ({ key: "then", sql: eventHeldAt, value, isNarrow: true });

/** Null, because its later replacement was not known at that time. */
const asKnownThen = <Event extends TransportEvent | ListedTransportEvent>(event: Event): Event => ({
  ...event,
  invalidatedAt: null,
});

const ofNames = (key: string, value: readonly ListedEventName[]): Condition => ({
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
    findMany: (accountId, ids) => sql.rows<ListedTransportEvent>(findSeveral, [accountId, ids]),
    findOfContainers: (accountId, containerIds) => sql.rows<TransportEvent>(ofContainers, [accountId, containerIds]),
    async findOfContainersAsOf(accountId, containerIds, asOf) {
      const events = await sql.rows<TransportEvent>(ofContainersAsOf, [accountId, containerIds, asOf]);
      return events.map(asKnownThen);
    },
    findListedOfContainers: (accountId, containerIds, limit) =>
      sql.rows<ListedTransportEvent>(listedOfContainers, [accountId, containerIds, limit ?? null]),
    async findListedOfContainersAsOf(accountId, containerIds, asOf) {
      const events = await sql.rows<ListedTransportEvent>(listedOfContainersAsOf, [accountId, containerIds, asOf]);
      return events.map(asKnownThen);
    },
    async listOfContainer(accountId, containerId, page, { asOf, names, kinds } = {}) {
      const named = [...(names ? [ofNames("names", names)] : []), ...(kinds ? [ofNames("kinds", kinds)] : [])];
      const wanted = [ofContainer(containerId), ...named];
      if (asOf === undefined) return listRows<ListedTransportEvent>(sql, listSource, accountId, wanted, page);
      const conditions = [...wanted, heldAt(asOf)];
      const then = await listRows<ListedTransportEvent>(sql, allVersions, accountId, conditions, page);
      return { ...then, items: then.items.map(asKnownThen) };
    },
  };
}
