import { type Html, html } from "../http/html.ts";

/** Links to the previous and the next page; null when there is only one page. */
export function pageLinks(options: {
  readonly number: number;
  readonly hasMore: boolean;
  readonly addressOf: (number: number) => string;
}): Html | null {
  const { number, hasMore, addressOf } = options;
  if (number === 1 && !hasMore) return null;
  return html`
    <nav class="pages" aria-label="Pages">
      ${number > 1 && html`<a rel="prev" href="${addressOf(number - 1)}">Newer</a>`}
      <span>Page ${number}</span>
      ${hasMore && html`<a rel="next" href="${addressOf(number + 1)}">Older</a>`}
    </nav>`;
}

/** The API paginates up to 10,000 records; longer lists have to be filtered. */
const lastPage = 300;

export function readPageNumber(text: string): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}
