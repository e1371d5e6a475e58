import { expect, test } from "@jest/globals";
import { Semaphore } from "./semaphore.ts";

test("limits concurrent work, keeps the order, and frees the slot of work that throws", async () => {
  const slots = new Semaphore(2);
  const order: number[] = [];
  let running = 0;
  let peak = 0;
  const work = (number: number) =>
    slots.run(async () => {
      peak = Math.max(peak, ++running);
      order.push(number);
      await Promise.resolve();
      running--;
      if (number === 1) throw new Error("broken");
    });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map(work));
  expect(results.map(({ status }) => status)).toEqual(["rejected", ...Array(4).fill("fulfilled")]);
  expect(order).toEqual([1, 2, 3, 4, 5]);
  expect(peak).toBe(2);
});
