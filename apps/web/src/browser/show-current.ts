import { pageReplacedEvent, pageUpdatedEvent } from "./live-events.ts";

const rows = ".chips";

function show(row: Element): void {
  const entry = row.querySelector("[aria-current]");
  if (entry === null || row.scrollWidth <= row.clientWidth) return;
  row.scrollLeft += entry.getBoundingClientRect().right - row.getBoundingClientRect().right + row.clientWidth / 4;
}

/** Scrolls filters of one line, as on a phone, so that its current entry is in view, also after a rotation. */
export function showCurrent(page: Document): void {
  const resizes = new ResizeObserver((entries) => {
    for (const { target } of entries) show(target);
  });
  const observed = new Set<Element>();
  const observe = (): void => {
    for (const row of observed) {
      if (row.isConnected) continue;
      resizes.unobserve(row);
      observed.delete(row);
    }
    for (const row of page.querySelectorAll(rows)) {
      if (observed.has(row)) continue;
      resizes.observe(row);
      observed.add(row);
    }
  };
  observe();
  for (const event of [pageReplacedEvent, pageUpdatedEvent]) page.addEventListener(event, observe);
}
