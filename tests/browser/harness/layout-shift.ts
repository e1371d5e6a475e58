import type { Page } from "playwright-core";

type LayoutShift = PerformanceEntry & { readonly value: number; readonly sources: readonly { node: Node | null }[] };

/**
 * How far what was there already moved while the page was loaded: of the screen, as browsers measure it. `selector`:
 * counts only what moved within that element, or with it.
 */
export const shiftOf = (page: Page, selector: string | null = null): Promise<number> =>
  page.evaluate(
    (selector) =>
      new Promise((resolve) => {
        const part = selector === null ? null : document.querySelector(selector);
        const isCounted = ({ node }: LayoutShift["sources"][number]) => part?.contains(node) || node?.contains(part);
        let [sum, movedAt] = [0, Number.POSITIVE_INFINITY];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as LayoutShift[]) {
            if (entry.startTime >= movedAt) resolve(sum);
            if (part === null || entry.sources.some(isCounted)) sum += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
        // A shift is reported only for what moves after all that moved before.
        requestAnimationFrame(() => {
          movedAt = performance.now();
          document.body.style.marginTop = "200px";
        });
      }),
    selector,
  );
