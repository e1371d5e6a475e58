import type { ListDocument } from "@svc/sdk";
import type { ToolOutcome } from "./define-tool.ts";

/** A page of a list with its paging, and a headline that says how to get the rest. */
export function listOutcome(
  what: string,
  document: ListDocument<unknown>,
  items: readonly object[],
  request: { readonly page: number; readonly page_size: number },
  nextStep: string,
): ToolOutcome {
  const { page, page_size } = request;
  const known = document.meta?.page;
  const total = known?.total ?? (page - 1) * page_size + items.length;
  const hasNext = typeof document.links?.next === "string";
  const count = known?.total_is_exact === false ? `more than ${total}` : String(total);
  const more = hasNext ? ` More with page=${page + 1}.` : "";
  const headline =
    items.length > 0
      ? `${items.length} of ${count} ${what}, newest first, page ${page}.${more} ${nextStep}`
      : `No ${what} match. Call again with fewer filters, or page=1.`;
  return {
    headline,
    content: {
      items,
      page,
      page_size,
      total,
      ...(hasNext && { next_page: page + 1 }),
    },
  };
}
