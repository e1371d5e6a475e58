import { describe, expect, test } from "@jest/globals";
import { Batcher } from "./batcher.ts";

describe("batches", () => {
  test("contain the items of one turn, and those added while a batch is in progress", async () => {
    const batches: number[][] = [];
    const blocked = Promise.withResolvers<void>();
    const work = new Batcher<number, number>(10, async (items) => {
      batches.push([...items]);
      await blocked.promise;
      return items.map((item) => item * 2);
    });
    const first = [work.add(1), work.add(2)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    const later = [work.add(3), work.add(4)];
    blocked.resolve();
    expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("do not exceed the maximum size", async () => {
    const batches: number[][] = [];
    const work = new Batcher<number, number>(2, async (items) => {
      batches.push([...items]);
      return items;
    });
    expect(await Promise.all([1, 2, 3, 4, 5].map((item) => work.add(item)))).toEqual([1, 2, 3, 4, 5]);
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  test("reject only their own items when they fail", async () => {
    const work = new Batcher<number, number>(2, async (items) => {
      if (items.includes(2)) throw new Error("refused");
      return items;
    });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => work.add(item)));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(await work.add(4)).toBe(4);
  });

  test("start after a pause, which collects items", async () => {
    const batches: number[][] = [];
    const work = new Batcher<number, number>(
      10,
      async (items) => {
        batches.push([...items]);
        return items;
      },
      20,
    );
    await work.add(1);
    const second = work.add(2);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(await Promise.all([second, work.add(3)])).toEqual([2, 3]);
    expect(batches).toEqual([[1], [2, 3]]);
  });
});
