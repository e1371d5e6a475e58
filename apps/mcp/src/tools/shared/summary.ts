import { countText } from "@svc/domain";
import type { OverviewCountResource, PageMeta } from "@svc/sdk";
import { z } from "zod";
import type { ToolOutcome } from "./define-tool.ts";

export const groupsOutput = {
  groups: z.array(z.object({ value: z.string(), count: z.number() })).optional(),
};

/** The API's maximum number of groups, the largest first. */
const groupsMax = 100;

interface Summary {
  readonly what: string;
  readonly by: string;
  readonly counts: readonly OverviewCountResource[];
  /** Reads how many records the list has. */
  readonly countAll: () => Promise<PageMeta["page"]>;
  /** Reads why the list is empty. */
  readonly explain: () => Promise<string>;
}

/**
 * Counts by one value; `none` stands for records without such a value. The groups do not add up to the list when some
 * are left out, or when a record is in several.
 */
export async function summaryOutcome({ what, by, counts, countAll, explain }: Summary): Promise<ToolOutcome> {
  const groups = counts.map(({ attributes }) => ({ value: attributes.value ?? "none", count: attributes.count }));
  const sum = groups.reduce((total, { count }) => total + count, 0);
  const isPartial = groups.length >= groupsMax;
  const all = (isPartial || by === "tag") && sum > 0 ? await countAll() : undefined;
  const total = all?.total ?? sum;
  if (total === 0) return { headline: `No ${what} match. ${await explain()}`, content: { groups, total } };
  const counted = `${all?.total_is_exact === false ? "more than " : ""}${total} ${what}`;
  const listed = `${isPartial ? "the largest " : ""}${countText(groups.length, "group")} by ${by}`;
  return {
    headline: `${counted}: ${listed}. Rows: call again without summary.`,
    content: { groups, total },
  };
}
