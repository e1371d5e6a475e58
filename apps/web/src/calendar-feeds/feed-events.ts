import { addMs, compareText, dayMs, type Instant } from "@svc/domain";
import type { ContainerOverview, ShipmentOverview } from "@svc/domain/overviews";
import { applicableSettings, type SavedView } from "@svc/domain/saved-views";
import { unknownArrival } from "@svc/domain/shipments";
import type { Database } from "@svc/persistence";
import type { OpenedCalendarFeed } from "@svc/persistence/calendar-feeds";
import {
  type ContainerOverviewFilters,
  createContainerOverviewReader,
  createShipmentOverviewReader,
  type ShipmentOverviewFilters,
} from "@svc/persistence/overviews";
import { filtersOf as containerFiltersOf, readContainerQuery } from "../containers/list-query.ts";
import { listAddresses } from "../saved-views/list-addresses.ts";
import { filtersOf, readListQuery } from "../shipments/list-query.ts";

export const daysBefore = 30;
export const daysAfter = 120;
/** Maximum number of events of a feed. Those nearest to the present are kept. */
const eventsMax = 5_000;
/** Rows that are read of a list for one kind of event. */
const rowsMax = 10_000;
/** Containers that an arrival names, as rows of shipments do. */
const namedMax = 10;

/** Attributes of a record that the events of arrivals and of last free days show. */
type Described = Pick<
  ShipmentOverview,
  | "billOfLadingNumber"
  | "shippingLineScac"
  | "refNumbers"
  | "vesselName"
  | "voyageNumber"
  | "podName"
  | "podLocode"
  | "destinationLocode"
  | "destinationName"
  | "destinationTimezone"
  | "podTimezone"
  | "updatedAt"
>;

export interface ArrivalEvent extends Described {
  readonly kind: "arrival";
  readonly shipmentId: string;
  readonly at: Instant;
  readonly isActual: boolean;
  /** Whether it is the arrival at the inland destination. */
  readonly isInland: boolean;
  readonly delayDays: number | null;
  /** The first ten by number; null where only some of them are known. */
  readonly containerNumbers: readonly string[] | null;
  /** The first of these containers, if other containers of the shipment arrive at another time. */
  readonly containerId?: string;
}

export interface LastFreeDayEvent extends Described {
  readonly kind: "last_free_day";
  readonly shipmentId: string;
  readonly containerId: string;
  readonly number: string;
  /** Local to the place of pickup, YYYY-MM-DD. */
  readonly day: string;
  readonly source: ContainerOverview["lastFreeDaySource"];
}

export type CalendarEvent = ArrivalEvent | LastFreeDayEvent;

type Arriving = Described &
  Pick<ShipmentOverview, "arrivalAt" | "podAtaAt" | "destinationAtaAt" | "destinationEtaAt" | "delayDays">;

function toArrivalEvent(row: Arriving, shipmentId: string, containerNumbers: readonly string[] | null): ArrivalEvent {
  const isInland = row.destinationAtaAt !== null || row.destinationEtaAt !== null;
  const isActual = isInland ? row.destinationAtaAt !== null : row.podAtaAt !== null;
  return { ...row, kind: "arrival", shipmentId, at: row.arrivalAt, isActual, isInland, containerNumbers };
}

/** Arrivals of containers of one shipment: one for all that arrive at the same time. */
function toArrivalEvents(rows: readonly ContainerOverview[]): ArrivalEvent[] {
  const groups = [...Map.groupBy(rows, ({ arrivalAt }) => arrivalAt).values()];
  return groups.flatMap((arriving) => {
    const [row] = arriving.toSorted((one, other) => compareText(one.number, other.number));
    if (row === undefined) return [];
    if (groups.length === 1) return [toArrivalEvent(row, row.shipmentId, null)];
    const numbers = arriving.map(({ number }) => number).sort();
    return [{ ...toArrivalEvent(row, row.shipmentId, numbers.slice(0, namedMax)), containerId: row.id }];
  });
}

const toLastFreeDayEvents = (row: ContainerOverview): LastFreeDayEvent[] =>
  row.lastFreeDay === null
    ? []
    : [{ ...row, kind: "last_free_day", containerId: row.id, day: row.lastFreeDay, source: row.lastFreeDaySource }];

/** The query of the list's URL that a view stands for. */
function queryOf(view: Pick<SavedView, "list" | "filters" | "sort" | "columns">): Record<string, string> {
  const { parameterOf } = listAddresses[view.list];
  const { filters } = applicableSettings(view);
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [parameterOf(name), value]));
}

const later = (one: Instant, other: Instant | undefined): Instant => (other !== undefined && other > one ? other : one);
const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one;

async function firstRows<Row>(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    rows.push(...batch);
    if (rows.length >= rowsMax) break;
  }
  return rows.slice(0, rowsMax);
}

/** Reads the events of feeds, each under the row policies of its account. */
export function createFeedReader(database: Database) {
  const shipments = createShipmentOverviewReader(database.tenantSql);
  const containers = createContainerOverviewReader(database.tenantSql);

  /** @param now on the tracking clock. */
  return async function readEvents(
    { accountId, view }: Pick<OpenedCalendarFeed, "accountId" | "view">,
    now: Instant,
  ): Promise<readonly CalendarEvent[]> {
    const [from, to] = [addMs(now, -daysBefore * dayMs), addMs(now, daysAfter * dayMs)];
    const between = ({
      arrivalAfter,
      arrivalBefore,
    }: Pick<ShipmentOverviewFilters, "arrivalAfter" | "arrivalBefore">) => ({
      arrivalAfter: later(from, arrivalAfter),
      arrivalBefore: earlier(to, arrivalBefore),
    });
    const days = { lastFreeDayAfter: from.slice(0, 10), lastFreeDayBefore: to.slice(0, 10) };
    const newest = { sortBy: "created_at", descending: true } as const;
    const readContainers = (filters: ContainerOverviewFilters & { readonly stale?: boolean }) =>
      firstRows(containers.batches(accountId, filters, newest, now));
    const readShipments = (filters: ShipmentOverviewFilters) =>
      firstRows(shipments.batches(accountId, filters, newest, now));

    if (view?.list === "containers") {
      const filters: ContainerOverviewFilters = containerFiltersOf(readContainerQuery(queryOf(view)));
      const [arriving, free] = await Promise.all([
        readContainers({ ...filters, ...between(filters) }),
        readContainers({ ...filters, ...days }),
      ]);
      const arrivals = [...Map.groupBy(arriving, ({ shipmentId }) => shipmentId).values()].flatMap(toArrivalEvents);
      return nearest([...arrivals, ...free.flatMap(toLastFreeDayEvents)], now);
    }

    const filters: ShipmentOverviewFilters = view ? filtersOf(readListQuery(queryOf(view)), now) : {};
    const readFreeContainers = async () => {
      if (!view) return readContainers(days);
      const shipment = (await readShipments({ ...filters, ...days })).map(({ id }) => id);
      return shipment.length > 0 ? readContainers({ ...days, shipment }) : [];
    };
    const [arriving, free, separate] = await Promise.all([
      readShipments({ ...filters, ...between(filters) }),
      readFreeContainers(),
      readContainers({ arrivesSeparately: true, ...between(filters) }),
    ]);
    const separateByShipment = Map.groupBy(separate, ({ shipmentId }) => shipmentId);
    // Each of their containers may arrive in another part of the period than the shipment.
    const viewShipments =
      view && separateByShipment.size > 0
        ? await readShipments({ ...filters, shipment: [...separateByShipment.keys()] })
        : [];
    const visibleShipmentIds = view ? new Set(viewShipments.map(({ id }) => id)) : separateByShipment;
    const arrivals = [
      ...arriving.flatMap((row) =>
        separateByShipment.has(row.id) ? [] : toArrivalEvent(row, row.id, row.containerNumbers.slice(0, namedMax)),
      ),
      ...[...separateByShipment].flatMap(([id, containers]) =>
        visibleShipmentIds.has(id) ? toArrivalEvents(containers) : [],
      ),
    ];
    return nearest([...arrivals, ...free.flatMap(toLastFreeDayEvents)], now);
  };
}

const timestampOf = (event: CalendarEvent): number => Date.parse(event.kind === "arrival" ? event.at : event.day);
const idOf = (event: CalendarEvent): string => (event.kind === "arrival" ? event.shipmentId : event.containerId);

/** The events nearest to the present, in a stable order. */
function nearest(events: readonly CalendarEvent[], now: Instant): readonly CalendarEvent[] {
  const nowMs = Date.parse(now);
  const known = events.filter((event) => event.kind !== "arrival" || event.at < unknownArrival);
  const distance = (event: CalendarEvent) => Math.abs(timestampOf(event) - nowMs);
  const nearestEvents = known.toSorted((one, other) => distance(one) - distance(other)).slice(0, eventsMax);
  return nearestEvents.sort(
    (one, other) => timestampOf(one) - timestampOf(other) || compareText(idOf(one), idOf(other)),
  );
}
