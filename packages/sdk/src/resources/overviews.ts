import { type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { Reader, ReadOptions } from "./reader.ts";
import { accountChangeKind, containerOverviewKind, overviewCountKind, shipmentOverviewKind } from "./record-kinds.ts";

/** Several values of one filter mean any of them; several filters mean all of them. */
export interface OverviewFilters {
  readonly status?: FilterValue;
  /** UN/LOCODE of any call. */
  readonly port?: FilterValue;
  readonly transshipmentPort?: FilterValue;
  /** SCAC. */
  readonly carrier?: FilterValue;
  /** Part of the name. */
  readonly customer?: FilterValue;
  readonly tag?: FilterValue;
  readonly refNumber?: FilterValue;
  readonly number?: FilterValue;
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
  readonly lastFreeDayWithinDays?: number | undefined;
  readonly notReturnedForDays?: number | undefined;
}

export interface AccountChangeFilters {
  readonly since?: string | Date | undefined;
  /** Name of the attribute. */
  readonly field?: FilterValue;
  /** Id: its own changes and those of its containers. */
  readonly shipment?: FilterValue;
}

export type OverviewParameters = PageParameters & { readonly filter?: OverviewFilters | undefined };
export type OverviewGrouping = "status" | "port" | "customer" | "carrier" | "vessel" | "tag" | "arrival_week";

function queryOf(filter: OverviewFilters | undefined) {
  const { delayedByDays, lastFreeDayWithinDays, notReturnedForDays, ...others } = filter ?? {};
  return filterQuery({
    ...others,
    delayedByDays: delayedByDays?.toString(),
    lastFreeDayWithinDays: lastFreeDayWithinDays?.toString(),
    notReturnedForDays: notReturnedForDays?.toString(),
  });
}

/** Flat rows over the whole account, for reports. */
export function overviewsResource<F extends Format>(reader: Reader<F>) {
  return {
    containers<G extends Format = F>(parameters: OverviewParameters = {}, options?: ReadOptions<G>) {
      return reader.list(
        containerOverviewKind,
        "/container_overviews",
        queryOf(parameters.filter),
        parameters,
        options,
      );
    },
    shipments<G extends Format = F>(parameters: OverviewParameters = {}, options?: ReadOptions<G>) {
      return reader.list(shipmentOverviewKind, "/shipment_overviews", queryOf(parameters.filter), parameters, options);
    },
    countContainers<G extends Format = F>(by: OverviewGrouping, filter?: OverviewFilters, options?: ReadOptions<G>) {
      const query = { ...queryOf(filter), group_by: by };
      return reader.list(overviewCountKind, "/container_overviews/counts", query, {}, options);
    },
    countShipments<G extends Format = F>(by: OverviewGrouping, filter?: OverviewFilters, options?: ReadOptions<G>) {
      const query = { ...queryOf(filter), group_by: by };
      return reader.list(overviewCountKind, "/shipment_overviews/counts", query, {}, options);
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
