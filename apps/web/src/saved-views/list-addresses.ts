import { type ViewFilters, type ViewList, viewOptions } from "@svc/domain/saved-views";
import type { SavedViewResource } from "@svc/sdk";
import { containersPath, readContainerQuery } from "../containers/list-query.ts";
import { attentionPath, readAttentionQuery } from "../exceptions/attention-query.ts";
import { listPath, pageSizes, readListQuery } from "../shipments/list-query.ts";

/** Settings of a view of a list. */
interface ViewSettings {
  readonly filters: ViewFilters;
  readonly sort: string | null;
  readonly columns: readonly string[];
}

interface ListAddress {
  readonly path: string;
  readonly label: string;
  /** The address of the list with the settings of a view alone: no search, no page. `query`: that of its URL. */
  readonly addressOf: (query: Readonly<Record<string, unknown>>, saved: string) => string;
  /** The parameter of the URL for a filter. */
  readonly parameterOf: (filter: string) => string;
}

export const listAddresses: Readonly<Record<ViewList, ListAddress>> = {
  shipments: {
    path: "/shipments",
    label: "All shipments",
    addressOf: (query, saved) => listPath({ ...readListQuery(query), typed: "", pageSize: pageSizes[0], saved }),
    parameterOf: (filter) => filter,
  },
  containers: {
    path: "/containers",
    label: "All containers",
    addressOf: (query, saved) => containersPath({ ...readContainerQuery(query), number: "", reference: "", saved }),
    parameterOf: (filter) => (filter === "condition" ? "view" : filter),
  },
  exceptions: {
    path: "/attention",
    label: "All exceptions",
    addressOf: (query, saved) => attentionPath({ ...readAttentionQuery(query), typed: "", saved }),
    parameterOf: (filter) => filter,
  },
};

const parseQuery = (address: string) => new URL(address, "http://localhost").searchParams;

/** The settings that the query of a list's URL stands for. */
export function settingsOf(list: ViewList, query: Readonly<Record<string, unknown>>): ViewSettings {
  const { addressOf, parameterOf } = listAddresses[list];
  const parameters = parseQuery(addressOf(query, ""));
  const filters = Object.keys(viewOptions[list].filters).flatMap((name) => {
    const value = parameters.get(parameterOf(name));
    return value === null ? [] : [[name, value] as const];
  });
  const columns = parameters.get("columns");
  return { filters: Object.fromEntries(filters), sort: parameters.get("sort"), columns: columns?.split(",") ?? [] };
}

/** The address of the list as a view shows it. */
export function viewAddress({ id, attributes }: Pick<SavedViewResource, "id" | "attributes">, saved = id): string {
  const { addressOf, parameterOf } = listAddresses[attributes.list];
  const filters = Object.entries(attributes.filters).map(([name, value]) => [parameterOf(name), value] as const);
  const query = { ...Object.fromEntries(filters), sort: attributes.sort ?? "", columns: attributes.columns.join(",") };
  return addressOf(query, saved);
}
