import type { ListDocument } from "@svc/sdk";
import type { ToolOutcome } from "./define-tool.ts";

interface ListOptions {
  /** The records in plural, such as `containers`. */
  readonly what: string;
  readonly document: ListDocument<unknown>;
  readonly items: readonly object[];
  readonly input: { readonly page: number; readonly page_size: number };
  readonly nextStep: string;
  /** The reason why the list is empty. Default: its filters. */
  readonly explanation?: string | undefined;
}

/** Returns a page of a list with its paging and a headline on how to get the rest. */
export function listOutcome(options: ListOptions): ToolOutcome {
  const { what, document, items, nextStep, explanation = "Call again with fewer filters." } = options;
  const { page, page_size } = options.input;
  const known = document.meta?.page;
  const total = known?.total ?? (page - 1) * page_size + items.length;
  const hasNext = typeof document.links?.next === "string";
  const count = known?.total_is_exact === false ? `more than ${total}` : String(total);
  const headline = (): string => {
    if (items.length > 0) return `${items.length} of ${count} ${what}, page ${page}. ${nextStep}`;
    if (total === 0) return `No ${what} match. ${explanation}`;
    return `Page ${page} does not exist: ${count} ${what} are on ${Math.ceil(total / page_size)} pages. Call again with page=1.`;
  };
  const paging = { page, page_size, total, ...(hasNext && { next_page: page + 1 }) };
  return {
    headline: headline(),
    ...(hasNext && { nextPageHint: `More with page=${page + 1}.` }),
    content: { items, ...paging },
  };
}

/** Filters that the lists of the web application have under the same name. */
const sharedFilters = ["port", "carrier", "tag"] as const;

/** Path of the list of the web application with those of the filters that it has, too. */
export function listPath(
  path: string,
  filters: Readonly<Partial<Record<(typeof sharedFilters)[number], string | undefined>>>,
): string {
  const query = new URLSearchParams();
  for (const name of sharedFilters) {
    const value = filters[name];
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
