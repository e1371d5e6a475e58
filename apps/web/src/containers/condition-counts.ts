import type { Instant } from "@svc/domain";
import { type ContainerCondition, next7Days } from "@svc/domain/saved-views";
import type { Client } from "@svc/sdk";
import { optionalPartMs } from "../access/api-clients.ts";
import { type ContainerQuery, containerFiltersOf } from "./list-query.ts";

/**
 * Number of containers by condition, of those that arrive in seven days, and of those over their last free day whose
 * tracking stopped; absent: not counted (very many).
 */
export type ConditionCounts = ReadonlyMap<ContainerCondition | "arriving_in_7_days" | "stopped_over", number>;

/** Days of arrival from today for seven days, as filters. */
export function arrivalIn7Days(now: Instant): Pick<ContainerQuery, "arrival_from" | "arrival_to"> {
  const { from, to } = next7Days(now);
  return { arrival_from: from, arrival_to: to };
}

/** Counts the containers of the lists that the conditions lead to, within the other filters. */
export async function readConditionCounts(api: Client, query: ContainerQuery, now: Instant): Promise<ConditionCounts> {
  const totalOf = async (changes: Partial<ContainerQuery>): Promise<number> => {
    const filter = containerFiltersOf({ ...query, ...changes });
    const { data, meta } = await api.overviews.containers({ filter, pageSize: 1 }, { timeoutMs: optionalPartMs });
    return meta?.page?.total ?? data.length;
  };
  // These lists have also those whose tracking stopped. Silent carriers are not counted: it takes seconds.
  const counted = ["last_free_day_over", ...(query.view === "last_free_day" ? [query.view] : [])] as const;
  const [{ data }, arriving, totals] = await Promise.all([
    api.overviews.countContainers("condition", containerFiltersOf({ ...query, view: "all" }), {
      timeoutMs: optionalPartMs,
    }),
    totalOf(arrivalIn7Days(now)),
    Promise.all(counted.map(async (view) => [view, await totalOf({ view })] as const)),
  ]);
  const byCondition = data.map(({ attributes: { value, count } }) => [value as ContainerCondition, count] as const);
  const over = "last_free_day_over";
  const [trackedOver, allOver] = [new Map(byCondition).get(over), new Map(totals).get(over)];
  const stoppedOver = trackedOver !== undefined && allOver !== undefined ? allOver - trackedOver : null;
  return new Map([
    ...byCondition,
    ...totals,
    ["arriving_in_7_days", arriving],
    ...(stoppedOver === null ? [] : [["stopped_over", stoppedOver] as const]),
  ]);
}
