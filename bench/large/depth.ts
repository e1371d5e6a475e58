import { median, type Reading } from "../rounds.ts";

interface Page {
  readonly data: readonly object[];
  readonly links: { readonly next: string | null };
}

const pagesCompared = 50;

/** Walks a list of the large account from its first page to the last by the links, and compares both ends. */
export async function measureDepth(apiUrl: string, token: string): Promise<Reading> {
  const tookMs: number[] = [];
  let rows = 0;
  let next: string | null = "";
  for (let first = true; next !== null; first = false) {
    const address: string = first
      ? "/v2/containers?page%5Bsize%5D=100"
      : `/v2${next.slice(next.indexOf("/containers"))}`;
    const startedMs = performance.now();
    const response = await fetch(`${apiUrl}${address}`, { headers: { authorization: `Token ${token}` } });
    const page = (await response.json()) as Page;
    tookMs.push(performance.now() - startedMs);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${JSON.stringify(page)}`);
    rows += page.data.length;
    // A numbered page leads to numbered pages; from its last row on, the walk is by cursor.
    next = first ? cursorAfter(page) : page.links.next;
  }
  const begin = median(tookMs.slice(1, 1 + pagesCompared));
  const end = median(tookMs.slice(-pagesCompared));
  console.error(`${tookMs.length} pages: ${begin.toFixed(1)} ms, ${end.toFixed(1)} ms`);
  return {
    name: "A list of containers by cursor, from the first page to the last",
    lines: [
      `${tookMs.length.toLocaleString("en-US")} pages of 100, ${rows.toLocaleString("en-US")} rows. Median of ${pagesCompared} pages: ` +
        `${begin.toFixed(1)} ms at the beginning, ${end.toFixed(1)} ms at the end; **ratio ${(end / begin).toFixed(2)}**.`,
    ],
  };
}

function cursorAfter(
  page: Page & { readonly meta?: { readonly page?: { readonly end_cursor?: string } } },
): string | null {
  const cursor = page.meta?.page?.end_cursor;
  return cursor === undefined ? null : `/containers?page%5Bsize%5D=100&page%5Bafter%5D=${encodeURIComponent(cursor)}`;
}
