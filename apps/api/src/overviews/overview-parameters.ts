import { containerStatuses } from "@svc/domain/containers";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { lastFreeDayPeriods } from "@svc/domain/overviews";
import { readSearchQuery, type SearchQuery } from "@svc/domain/search";
import { overviewStatuses } from "@svc/domain/shipments";
import {
  booleanFlag,
  codes,
  enumList,
  enumValue,
  freeTexts,
  ids,
  integer,
  localDate,
  oneText,
  type ParameterValues,
  texts,
  timestamp,
} from "@svc/jsonapi/query";
import type { Services } from "../services.ts";
import { withCanonicalScacs } from "../tracking-requests/number-forms.ts";

/** Maximum number of records that match a part of a number; filters and pages apply to these. */
export const foundMax = 200;

const filters = {
  port: codes(
    "filter[port]",
    "UN/LOCODE of any call: lading, transshipment (also a planned one), discharge or destination.",
    5,
  ),
  endPort: codes(
    "filter[end_port]",
    "UN/LOCODE of the port of loading, of discharge or the destination; reads less than `filter[port]`.",
    5,
  ),
  transshipmentPort: codes("filter[transshipment_port]", "UN/LOCODE of a call between lading and discharge.", 5),
  carrier: codes("filter[carrier]", "SCAC of the shipping line.", 4),
  customer: freeTexts("filter[customer]", "Part of the customer's name."),
  customerName: freeTexts("filter[customer_name]", "Name of the customer, exact, in any case.", 200),
  tag: freeTexts("filter[tag]", "Tag, exact.", 50),
  refNumber: freeTexts("filter[ref_number]", "Reference number of the container or its shipment. Exact match."),
  number: texts("filter[number]", "Container, bill of lading or booking number.", normalizeContainerNumber),
  vessel: freeTexts(
    "filter[vessel]",
    "Part of the name, or IMO number, of the vessel that arrives at the port of discharge or carried it on an earlier leg.",
  ),
  arrivalAfter: timestamp(
    "filter[arrival_after]",
    "Arrives later than this, actual or estimated, where the journey ends.",
  ),
  arrivalBefore: timestamp(
    "filter[arrival_before]",
    "Arrives earlier than this, actual or estimated, where the journey ends.",
  ),
  delayedByDays: integer(
    "filter[delayed_by_days]",
    "Minimum delay in days against the first estimate, as in `delay_days`. An overdue arrival counts the days since its estimate.",
    { min: -365, max: 365 },
  ),
  trackingStopped: booleanFlag("filter[tracking_stopped]", "Whether polling the shipping line has stopped."),
  stale: booleanFlag(
    "filter[stale]",
    "Whether the freshness is late, stale or silent. Only records that are polled have one.",
  ),
  updatedAfter: timestamp("filter[updated_after]", "Updated after this time."),
  createdAfter: timestamp("filter[created_after]", "Created after this time."),
  shipment: ids("filter[shipment]", "Id of the shipment."),
  equipment: freeTexts("filter[equipment]", "Words of the equipment, for example `40,reefer`: all of them."),
  hasHolds: booleanFlag("filter[has_holds]", "Whether the terminal reports holds."),
  hasFees: booleanFlag("filter[has_fees]", "Whether the terminal reports fees."),
  availableForPickup: booleanFlag("filter[available_for_pickup]", "Whether the container is available for pickup."),
  lastFreeDayBefore: localDate(
    "filter[last_free_day_before]",
    "Last free day, as a local date, earlier than this, and not picked up yet.",
  ),
  lastFreeDayAfter: localDate(
    "filter[last_free_day_after]",
    "Last free day, as a local date, later than this, and not picked up yet.",
  ),
  lastFreeDay: {
    ...enumValue(
      "filter[last_free_day]",
      "Last free day before today (`over`), today, from today for three or seven days, or from today until Sunday, in the time zone of the place of pickup, and not picked up yet.",
      lastFreeDayPeriods,
    ),
    required: false,
  },
  lastFreeDayWithinDays: integer(
    "filter[last_free_day_within_days]",
    "Not picked up, and the last free day has passed or is at most this many days away, in the time zone of the place of pickup. `0`: today.",
    { min: 0, max: 365 },
  ),
  notReturnedForDays: integer(
    "filter[not_returned_for_days]",
    "Minimum number of days since the container was picked up full. It is not returned.",
    { min: 0, max: 3650 },
  ),
  emptyReturned: booleanFlag("filter[empty_returned]", "Whether the container was returned empty."),
} as const;

const cutOff =
  "If more have it, the newest are found by a number, a reference or the whole text of a custom field, and others by " +
  "the beginning of one.";

export const containerFilters = {
  status: enumList("filter[status]", "Current status.", containerStatuses),
  search: oneText(
    "filter[search]",
    `Part of a number or reference of the container or its shipment, or the beginning of a custom field, as for GET /search; of up to ${foundMax} shipments that have it. ${cutOff}`,
    { maxLength: 1_000 },
  ),
  ...filters,
};
export const shipmentFilters = {
  status: enumList("filter[status]", "Current status.", overviewStatuses),
  search: oneText(
    "filter[search]",
    `Part of a number or reference, or the beginning of a custom field, as for GET /search; up to ${foundMax} shipments that have it. ${cutOff}`,
    { maxLength: 1_000 },
  ),
  ...filters,
};

export const shipmentSortKeys = {
  created_at: "instant",
  updated_at: "instant",
  last_changed_at: "instant",
  arrival: "instant",
  delay: "integer",
} as const;
export const containerSortKeys = { ...shipmentSortKeys, number: "text", last_free_day: "text" } as const;

type ShipmentFilters = ParameterValues<{ readonly parameters: typeof shipmentFilters }>;
type ContainerFilters = ParameterValues<{ readonly parameters: typeof containerFilters }>;

/** The shipments that a search found, before the other filters. */
export interface Found {
  /** Null: the text cannot be a number or reference, so nothing was found. */
  readonly searchQuery: SearchQuery | null;
  readonly isComplete: boolean;
}

/** Without the oldest of those that match least; they are in the order of age. */
function withoutLast<Match extends { readonly rank: number }>(matching: readonly Match[]): readonly Match[] {
  const least = Math.max(...matching.map(({ rank }) => rank));
  return matching.toSpliced(
    matching.findLastIndex(({ rank }) => rank === least),
    1,
  );
}

/** Ids of the shipments that the search finds, of those given. */
export async function searchShipments(
  searchText: string,
  services: Services,
  accountId: string,
  shipmentIds: readonly string[] | undefined,
): Promise<{ readonly shipment: readonly string[]; readonly found: Found }> {
  const searchQuery = readSearchQuery(searchText);
  const matching = searchQuery ? await services.findMatchingShipments(accountId, searchQuery, foundMax + 1) : [];
  const isWithinLimit = matching.length <= foundMax;
  const isComplete = isWithinLimit && !matching.some(({ mayHaveMore }) => mayHaveMore);
  const ids = (isWithinLimit ? matching : withoutLast(matching)).map(({ id }) => id);
  const shipment = shipmentIds ? ids.filter((id) => shipmentIds.includes(id)) : ids;
  return { shipment, found: { searchQuery, isComplete } };
}

/** The filters with SCACs as records hold them, and with the ids of the shipments that the search finds. */
export async function findShipments(
  { search: searchText, ...given }: ShipmentFilters,
  services: Services,
  accountId: string,
): Promise<{ readonly filters: Omit<ShipmentFilters, "search">; readonly found: Found | null }> {
  const filters = await withCanonicalScacs(given, services);
  if (searchText === undefined) return { filters, found: null };
  const { shipment, found } = await searchShipments(searchText, services, accountId, given.shipment);
  return { filters: { ...filters, shipment }, found };
}

/** The filters like those of `findShipments`, with the search, which a container or its shipment must match. */
export async function findContainers(
  { search: searchText, ...given }: ContainerFilters,
  services: Services,
  accountId: string,
): Promise<{
  readonly filters: Omit<ContainerFilters, "search"> & { readonly search?: SearchQuery };
  readonly found: Found | null;
}> {
  const filters = await withCanonicalScacs(given, services);
  if (searchText === undefined) return { filters, found: null };
  const { shipment, found } = await searchShipments(searchText, services, accountId, given.shipment);
  return { filters: { ...filters, shipment, ...(found.searchQuery && { search: found.searchQuery }) }, found };
}
