/** Scrolls a navigation of one line, as on a phone, so that its current entry is in view. */
export function showCurrent(page: Document): void {
  for (const entry of page.querySelectorAll<HTMLElement>("header .sections [aria-current], .chips [aria-current]")) {
    const row = entry.closest("nav");
    if (row === null || row.scrollWidth <= row.clientWidth) continue;
    row.scrollLeft += entry.getBoundingClientRect().right - row.getBoundingClientRect().right + row.clientWidth / 4;
  }
}
