import { cutText } from "./clean-text.ts";

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
  return { ...(shorter as object), omitted: `${[...cut].join(", ")}: all beyond ${keep}` };
}

function shorterTexts(content: object): Record<string, unknown> {
  return mapped(content, "", (value, name) =>
    typeof value === "string" && name !== "omitted" ? cutText(value, shortText) : value,
  ) as Record<string, unknown>;
}

/**
 * The content as far as it fits. What has no bound of its own is shortened: first the lists of texts (reference numbers,
 * tags, container ids), and `omitted` says so; then long names. Rows are bounded by the tools.
 */
export function fitContent(
  content: Record<string, unknown>,
  fits: (content: Record<string, unknown>) => boolean,
): Record<string, unknown> {
  let fitted = content;
  for (const keep of listSteps) {
    if (fits(fitted)) return fitted;
    fitted = shorterLists(content, keep);
  }
  return fits(fitted) ? fitted : shorterTexts(fitted);
}
