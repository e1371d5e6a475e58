/** A browser's measurements of a page load, in milliseconds from the request. */
export interface PageTimes {
  /** The first byte of the answer. */
  readonly ttfb: number;
  readonly domContentLoaded: number;
  /** The largest contentful paint. */
  readonly lcp: number;
  /** Total blocking time (TBT): the part above 50 ms of each long task. */
  readonly blocked: number;
}

/** Runs in the page. A text, since nothing else of the benchmarks knows a browser's names; resolves with PageTimes. */
export const readPageTimes = `(async () => {
  const entries = (type) =>
    new Promise((resolve) => {
      const found = [];
      new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type, buffered: true });
      setTimeout(() => resolve(found), 100);
    });
  const [paints, tasks] = await Promise.all([entries("largest-contentful-paint"), entries("longtask")]);
  const [page] = performance.getEntriesByType("navigation");
  return {
    ttfb: page.responseStart,
    domContentLoaded: page.domContentLoadedEventEnd,
    lcp: paints.at(-1)?.startTime,
    blocked: tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
  };
})()`;
