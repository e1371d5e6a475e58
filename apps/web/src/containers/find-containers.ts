import type { Client } from "@svc/sdk";
import { findNamed, looksLikeNumber, type NamedRecords } from "../search/find-named.ts";
import { type ContainerQuery, containerFiltersOf } from "./list-query.ts";

export interface FoundContainers<Found> {
  readonly found: Found;
  /** The filters of what was found: by a name, where the text is one and no number or reference has it. */
  readonly shown: ContainerQuery;
  /** Other records that the text names. */
  readonly named: readonly NamedRecords[];
}

/** The filters that show what has the name, in place of the text of the search. */
export const namedQuery = (query: ContainerQuery, filter: NamedRecords["filter"]): ContainerQuery => ({
  ...query,
  number: "",
  reference: "",
  page: 1,
  // The part of a name would replace the whole one, which has it.
  ...(filter.customer_name !== undefined && { customer: "" }),
  ...filter,
});

/**
 * Reads containers by the text of the search: a part of a number or reference, or else the one vessel, port, customer
 * or tag with the name. Several names are choices of the reader.
 */
export async function findContainers<Found>(
  api: Client,
  query: ContainerQuery,
  read: (query: ContainerQuery) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
): Promise<FoundContainers<Found>> {
  const input = query.page === 1 ? query.number : "";
  const within = containerFiltersOf(namedQuery(query, {}));
  const readNames = () => findNamed(api, input, { of: "container", within });
  // A text like a number is one first.
  const isName = !looksLikeNumber(input);
  const [found, beside] = await Promise.all([read(query), isName ? readNames() : []]);
  if (!isEmpty(found)) return { found, shown: query, named: beside };
  const named = isName ? beside : await readNames();
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) return { found, shown: query, named };
  const shown = namedQuery(query, only.filter);
  return { found: await read(shown), shown, named };
}
