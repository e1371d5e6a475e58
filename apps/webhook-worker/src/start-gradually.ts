/** Pause longer than a healthy endpoint takes to respond. */
const pauseMs = 250;
/** Waiting items for each one in flight above which another connection is worth more than it costs to open. */
const waitingEachMax = 4;

/**
 * Does the work for each item. `initialConcurrency` start immediately. Each one that ends lets the next start, or the
 * next two while many wait, and after a pause without an end as many start as have been started. So an endpoint that
 * responds fast gets few connections: one for five items, and five to six for 25. The last of 25 items to one that does
 * not respond starts after 1.25 s.
 * @param work must not reject.
 */
export function startGradually<Item>(
  items: readonly Item[],
  initialConcurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = items.values();
  let started = 0;
  let ended = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    ended += 1;
    const places = started - ended + 1;
    if (ended === items.length) resolve();
    else start(items.length - started > waitingEachMax * places ? 2 : 1);
  };
  const start = (count: number): void => {
    clearTimeout(timer);
    for (const until = Math.min(started + count, items.length); started < until; started += 1)
      void work(waiting.next().value as Item).then(end);
    if (started < items.length) timer = setTimeout(() => start(started), pauseMs);
  };
  if (items.length === 0) resolve();
  else start(Math.max(1, initialConcurrency));
  return promise;
}
