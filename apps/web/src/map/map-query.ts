import {
  type ContainerQuery,
  containerFiltersOf,
  filterParameters,
  readContainerQuery,
} from "../containers/list-query.ts";
import { listCall } from "../pages/same-from-api.ts";

/** Query of the URL of the map: the filters of the list of containers, and what is selected. */
export interface MapQuery {
  readonly filters: ContainerQuery;
  /** The id of a place, or "to-" and the UN/LOCODE of the next port of vessels; empty: nothing was selected. */
  readonly at: string;
}

/** Selects nothing, also where a search would select what it found. */
export const nothingSelected = "none";

const isSelection = (value: unknown): value is string => typeof value === "string" && /^[\w-]{1,80}$/.test(value);

/** Reads the query of the URL. Invalid values are ignored. */
export function readMapQuery(query: Readonly<Record<string, unknown>>): MapQuery {
  return { filters: readContainerQuery(query), at: isSelection(query.at) ? query.at : "" };
}

/** Returns the selected place: the only result of a search for a number, until the reader selects another one. */
export const findSelection = ({ filters, at }: MapQuery, places: readonly { readonly id: string }[]): string => {
  const [only, ...others] = places;
  return at === "" && filters.number !== "" && only !== undefined && others.length === 0 ? only.id : at;
};

/** URL of the map, with what is selected. */
export function mapPath(filters: ContainerQuery, at = "", page = "/map"): string {
  const parameters = filterParameters(filters);
  if (at !== "") parameters.set("at", at);
  return `${page}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** The API request for the same positions, relative to the base URL. */
export const positionsApiPath = (filters: ContainerQuery): string =>
  listCall("/container_positions", containerFiltersOf(filters), {});
