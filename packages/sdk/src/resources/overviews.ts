import type { ContainerPositionsDocument } from "@svc/jsonapi/containers";
import { type CursorParameters, type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import type { Reader, ReadOptions } from "./reader.ts";
import { accountChangeKind, containerOverviewKind, overviewCountKind, shipmentOverviewKind } from "./record-kinds.ts";

/** Several values of one filter mean any of them; several filters mean all of them. */
export interface OverviewFilters {
  readonly status?: FilterValue;
  /** UN/LOCODE of any call. */
  readonly port?: FilterValue;
  /** UN/LOCODE of the port of lading, of discharge or the destination. */
  readonly endPort?: FilterValue;
  readonly transshipmentPort?: FilterValue;
  /** SCAC. */
  readonly carrier?: FilterValue;
  /** Part of the name. */
  readonly customer?: FilterValue;
  /** The whole name, in any case. */
  readonly customerName?: FilterValue;
  readonly tag?: FilterValue;
  readonly refNumber?: FilterValue;
  readonly number?: FilterValue;
  /** Part of a number or reference, or the beginning of a custom field, as for search: in up to 200 shipments. */
  readonly search?: string | undefined;
  /** Part of the name, or IMO number. */
  readonly vessel?: FilterValue;
  readonly arrivalAfter?: string | Date | undefined;
  readonly arrivalBefore?: string | Date | undefined;
  readonly delayedByDays?: number | undefined;
  readonly trackingStopped?: boolean | undefined;
  readonly stale?: boolean | undefined;
  readonly updatedAfter?: string | Date | undefined;
  readonly createdAfter?: string | Date | undefined;
  readonly shipment?: FilterValue;
  readonly equipment?: FilterValue;
  readonly hasHolds?: boolean | undefined;
  readonly hasFees?: boolean | undefined;
  readonly availableForPickup?: boolean | undefined;
  /** YYYY-MM-DD. */
  readonly lastFreeDayBefore?: string | undefined;
  readonly lastFreeDayAfter?: string | undefined;
  /** Day in the time zone of the place of pickup; `over`: before today; `this_week`: from today until Sunday. */
  readonly lastFreeDay?: "over" | "today" | "within_3_days" | "within_7_days" | "this_week" | undefined;
  readonly lastFreeDayWithinDays?: number | undefined;
  readonly notReturnedForDays?: number | undefined;
  readonly emptyReturned?: boolean | undefined;
}

/** Overviews of shipments have the same filters. */
export type ShipmentOverviewFilters = OverviewFilters;

export interface AccountChangeFilters {
  readonly since?: string | Date | undefined;
  /** Name of the attribute. */
  readonly field?: FilterValue;
  /** Id: its own changes and those of its containers. */
  readonly shipment?: FilterValue;
}

export interface OverviewCustomFields {
  /** Slugs of custom fields, whose values the rows then have. */
  readonly customFields?: readonly string[] | undefined;
}

export type OverviewParameters = CursorParameters &
  OverviewCustomFields & { readonly filter?: OverviewFilters | undefined };
export type ShipmentOverviewParameters = OverviewParameters;
export type OverviewGrouping = "status" | "port" | "customer" | "carrier" | "vessel" | "tag" | "arrival_week";

/** `upTo`: a status with more records counts as one more than this. */
export type CountOptions<F extends Format> = ReadOptions<F> & { readonly upTo?: number | undefined };

export function overviewQuery(filter: OverviewFilters | undefined) {
  const { delayedByDays, lastFreeDayWithinDays, notReturnedForDays, ...others } = filter ?? {};
  return filterQuery({
    ...others,
    delayedByDays: delayedByDays?.toString(),
    lastFreeDayWithinDays: lastFreeDayWithinDays?.toString(),
    notReturnedForDays: notReturnedForDays?.toString(),
  });
}

/** No parameter for an empty list: rows without custom fields. */
export const customFieldsQuery = ({ customFields = [] }: OverviewCustomFields) => ({
  custom_fields: customFields.length === 0 ? undefined : customFields.join(","),
});

/** Flat rows over the whole account, for reports. */
export function overviewsResource<F extends Format>(reader: Reader<F>) {
  const count = <G extends Format = F>(
    path: string,
    by: OverviewGrouping | "condition",
    filter: OverviewFilters | undefined,
    { upTo, ...options }: CountOptions<G> = {},
  ) => {
    const query = { ...overviewQuery(filter), group_by: by, up_to: upTo };
    return reader.list(overviewCountKind, path, query, {}, options);
  };
  return {
    containers<G extends Format = F>(parameters: OverviewParameters = {}, options?: ReadOptions<G>) {
      return reader.list(
        containerOverviewKind,
        "/container_overviews",
        { ...overviewQuery(parameters.filter), ...customFieldsQuery(parameters) },
        parameters,
        options,
      );
    },
    shipments<G extends Format = F>(parameters: ShipmentOverviewParameters = {}, options?: ReadOptions<G>) {
      return reader.list(
        shipmentOverviewKind,
        "/shipment_overviews",
        { ...overviewQuery(parameters.filter), ...customFieldsQuery(parameters) },
        parameters,
        options,
      );
    },
    /** `condition`: those of saved views; a container can meet several. */
    countContainers<G extends Format = F>(
      by: OverviewGrouping | "condition",
      filter?: OverviewFilters,
      options?: CountOptions<G>,
    ) {
      return count("/container_overviews/counts", by, filter, options);
    },
    /**
     * GeoJSON FeatureCollection of where the containers are now, by position. FeatureNotEnabledError where the account
     * has no container routes.
     */
    async containerPositions(filter?: OverviewFilters, options?: CallOptions): Promise<ContainerPositionsDocument> {
      const request = { method: "GET", path: "/container_positions", query: overviewQuery(filter), options } as const;
      return (await reader.send(request)).body as ContainerPositionsDocument;
    },
    countShipments<G extends Format = F>(by: OverviewGrouping, filter?: OverviewFilters, options?: CountOptions<G>) {
      return count("/shipment_overviews/counts", by, filter, options);
    },
    /** Changed attributes of all records since then (default: 24 hours ago), latest first. */
    changes<G extends Format = F>(
      parameters: PageParameters & {
        readonly filter?: AccountChangeFilters | undefined;
      } = {},
      options?: ReadOptions<G>,
    ) {
      return reader.list(accountChangeKind, "/changes", filterQuery({ ...parameters.filter }), parameters, options);
    },
  };
}
