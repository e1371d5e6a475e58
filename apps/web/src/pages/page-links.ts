import { type Html, html } from "@svc/views";

/** Links to the neighbouring pages, whose addresses are null where the list ends; null when there is only one page. */
export function neighbourLinks(options: {
  readonly previous: string | null;
  readonly next: string | null;
  /** Null on the first page. */
  readonly first?: string | null;
  readonly label?: readonly [previous: string, next: string];
  /** The number of the page. */
  readonly number?: number;
}): Html | null {
  const { previous, next, first, label = ["← Previous", "Next →"], number } = options;
  if (previous === null && next === null) return null;
  return html`
    <nav class="pages" aria-label="Pages">
      ${first && html`<a href="${first}">First page</a>`}
      ${previous && html`<a rel="prev" href="${previous}">${label[0]}</a>`}
      ${number !== undefined && html`<span>Page ${number}</span>`}
      ${next && html`<a rel="next" href="${next}">${label[1]}</a>`}
    </nav>`;
}

interface NumberedPage {
  readonly number: number;
  readonly hasMore: boolean;
  readonly addressOf: (number: number) => string;
}

/** Links to the neighbouring pages of a list with numbered pages. */
export function pageLinks(
  { number, hasMore, addressOf }: NumberedPage,
  label: readonly [previous: string, next: string] = ["Newer", "Older"],
): Html | null {
  const [previous, next] = [number > 1 ? addressOf(number - 1) : null, hasMore ? addressOf(number + 1) : null];
  return neighbourLinks({ previous, next, label, number });
}

/** The API paginates up to 10,000 records; longer lists have to be filtered. */
const lastPage = 300;

export function readPageNumber(text: string): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}
