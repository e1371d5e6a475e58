import type { Client } from "@svc/sdk";
import { type ContainerQuery, containerFiltersOf } from "./list-query.ts";

/**
 * The query by reference, where no container has what was typed as a number but a reference of one is equal to it;
 * null: neither.
 */
export async function byReference(api: Client, query: ContainerQuery): Promise<ContainerQuery | null> {
  if (query.number === "") return null;
  const referring = { ...query, number: "", reference: query.number };
  const { data } = await api.overviews.containers({ filter: containerFiltersOf(referring), pageSize: 1 });
  return data.length > 0 ? referring : null;
}
