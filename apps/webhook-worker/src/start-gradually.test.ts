import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { startGradually } from "./start-gradually.ts";

/** Work that the test ends. */
function controlled() {
  const open: (() => void)[] = [];
  const started: number[] = [];
  const work = (item: number): Promise<void> => {
    started.push(item);
    return new Promise((resolve) => open.push(resolve));
  };
  const endOne = async (): Promise<void> => {
    open.shift()?.();
    await new Promise(setImmediate);
  };
  return { started, open, work, endOne };
}

const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("deliveries to an endpoint", () => {
  test("start one after the other on one connection when they are few", async () => {
    const { started, work, endOne } = controlled();
    const all = startGradually(items(5), 0, work);
    for (let ended = 0; ended < 5; ended += 1) {
      expect(started).toEqual(items(ended + 1));
      await endOne();
    }
    await all;
  });

  test("start on two connections for each response while many wait", async () => {
    const { started, open, work, endOne } = controlled();
    const all = startGradually(items(25), 0, work);
    const inFlight: number[] = [];
    for (let left = 25; left > 0; left -= 1) {
      inFlight.push(open.length);
      await endOne();
    }
    await all;
    expect(started).toEqual(items(25));
    expect(inFlight.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(Math.max(...inFlight)).toBeLessThanOrEqual(6);
  });

  test("start at once as far as there are connections", () => {
    const { started, work } = controlled();
    void startGradually(items(6), 4, work);
    expect(started).toEqual(items(4));
  });

  test("do not wait for an endpoint that does not respond", async () => {
    const { started, open, work } = controlled();
    const startedAtMs = performance.now();
    const all = startGradually(items(25), 0, work);
    while (started.length < 25) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(started).toEqual(items(25));
    // Five pauses: 1, 2, 4, 8, 16, 25.
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(1_200);
    for (const end of open) end();
    await all;
  });

  test("start once each, whatever their number and the connections", () =>
    fc.assert(
      fc.asyncProperty(fc.nat({ max: 60 }), fc.nat({ max: 60 }), async (count, initialConcurrency) => {
        const started: number[] = [];
        await startGradually(items(count), initialConcurrency, async (item) => {
          started.push(item);
          await new Promise(setImmediate);
        });
        expect(started).toEqual(items(count));
      }),
    ));
});
