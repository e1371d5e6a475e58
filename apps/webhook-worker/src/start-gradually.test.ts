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
  test("start one by one on the first connection, then on two more for each response", async () => {
    const { started, work, endOne } = controlled();
    const all = startGradually(items(6), 0, work);
    expect(started).toEqual([0]);
    await endOne();
    expect(started).toEqual([0, 1, 2]);
    await endOne();
    expect(started).toEqual([0, 1, 2, 3, 4]);
    await endOne();
    expect(started).toEqual(items(6));
    for (let left = 3; left > 0; left--) await endOne();
    await all;
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
