import type { Page, PageRequest } from "@svc/domain/lists";

/** All rows of a list in batches, by keyset pagination. */
export async function* batches<Row extends { readonly id: string }, Key extends string>(
  first: PageRequest<Key>,
  read: (page: PageRequest<Key>) => Promise<Page<Row>>,
  sortValueOf: (row: Row) => string,
): AsyncGenerator<readonly Row[], void, undefined> {
  let page = first;
  for (;;) {
    const { items, hasMore } = await read(page);
    const last = items.at(-1);
    yield items;
    if (!hasMore || !last) return;
    page = { ...page, position: { kind: "after", row: { value: sortValueOf(last), id: last.id } } };
  }
}
