import type { Page } from "playwright-core";

/** How far what was there already moved while the page was loaded: of the screen, as browsers measure it. */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let [sum, movedAt] = [0, Number.POSITIVE_INFINITY];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if (entry.startTime >= movedAt) resolve(sum);
            sum += (entry as unknown as { value: number }).value;
          }
        }).observe({ type: "layout-shift", buffered: true });
        // A shift is reported only for what moves after all that moved before.
        requestAnimationFrame(() => {
          movedAt = performance.now();
          document.body.style.marginTop = "200px";
        });
      }),
  );
