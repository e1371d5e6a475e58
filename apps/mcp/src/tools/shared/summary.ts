import { countText } from "@svc/domain";
import type { OverviewCountResource } from "@svc/sdk";
import { z } from "zod";
import type { ToolOutcome } from "./define-tool.ts";

export const groupsOutput = {
  groups: z.array(z.object({ value: z.string(), count: z.number() })).optional(),
};

/** Counts by one value; `none` stands for records without such a value. */
export async function summaryOutcome(
  what: string,
  by: string,
  counts: readonly OverviewCountResource[],
  explain: () => Promise<string>,
): Promise<ToolOutcome> {
  const groups = counts.map(({ attributes }) => ({ value: attributes.value ?? "none", count: attributes.count }));
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return { headline: `No ${what} match. ${await explain()}`, content: { groups, total } };
  const sum = by === "tag" ? "" : `${total} ${what}: `;
  return {
    headline: `${sum}${countText(groups.length, "group")} by ${by}. Rows: call again without summary.`,
    content: { groups, total },
  };
}
