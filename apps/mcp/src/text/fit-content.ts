import { cutText } from "./clean-text.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** The estimate may be a few per cent too low. */
const estimateMargin = 1.08;

/** How many texts of a list are kept, from generous to none. */
const listSteps = [10, 5, 3, 1, 0];
/** Longer than an id or a time, which must stay whole. */
const shortText = 40;

type Shorten = (value: unknown, name: string) => unknown;

function mapped(value: unknown, name: string, shorten: Shorten): unknown {
  const shorter = shorten(value, name);
  if (shorter !== value) return shorter;
  if (Array.isArray(value)) return value.map((item) => mapped(item, name, shorten));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, mapped(inner, member, shorten)]));
}

function shorterLists(content: object, keep: number): Record<string, unknown> {
  const cut = new Set<string>();
  const shorter = mapped(content, "", (value, name) => {
    if (!Array.isArray(value) || value.length <= keep || !value.every((item) => typeof item === "string")) return value;
    cut.add(name);
    return value.slice(0, keep);
  });
  return { ...(shorter as object), omitted: `${[...cut].join(", ")}: all beyond ${keep}; fewer rows show more` };
}

function shorterTexts(content: object): Record<string, unknown> {
  return mapped(content, "", (value, name) =>
    typeof value === "string" && name !== "omitted" ? cutText(value, shortText) : value,
  ) as Record<string, unknown>;
}

/** Content together with what it costs. */
export interface Shown {
  readonly content: Record<string, unknown>;
  readonly text: string;
}

/**
 * The content as far as it fits. What has no bound of its own is shortened: first the lists of texts (reference numbers,
 * tags, container ids), and `omitted` says so; then long names. Rows are bounded by the tools.
 */
export function fitContent(
  content: Record<string, unknown>,
  textOf: (content: Record<string, unknown>) => string,
  tokenBudget: number,
): Shown {
  const shown = (content: Record<string, unknown>): Shown => ({ content, text: textOf(content) });
  const isCheap = (text: string) => text.length <= tokenBudget || estimateTokens(text) * estimateMargin <= tokenBudget;
  const fits = ({ content, text }: Shown) => isCheap(text) && isCheap(JSON.stringify(content));
  let fitted = shown(content);
  for (const keep of listSteps) {
    if (fits(fitted)) return fitted;
    fitted = shown(shorterLists(content, keep));
  }
  return fits(fitted) ? fitted : shown(shorterTexts(fitted.content));
}
