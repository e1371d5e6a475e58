import type { ContainerCondition } from "@svc/domain/saved-views";
import type { Client } from "@svc/sdk";
import { countedMax } from "../shipments/list-filters.ts";
import { type ContainerQuery, containerFiltersOf } from "./list-query.ts";

/** Number of containers by condition. */
export type ConditionCounts = ReadonlyMap<ContainerCondition, number>;

/** Counts the containers in each of the conditions, within the other filters. Larger counts are above `countedMax`. */
export async function countConditions(
  api: Client,
  query: ContainerQuery,
  conditions: readonly ContainerCondition[],
): Promise<ConditionCounts> {
  const count = async (view: ContainerCondition) => {
    const filter = containerFiltersOf({ ...query, view });
    const { data } = await api.overviews.countContainers("status", filter, { upTo: countedMax });
    return [view, data.reduce((total, { attributes }) => total + attributes.count, 0)] as const;
  };
  return new Map(await Promise.all(conditions.map(count)));
}
