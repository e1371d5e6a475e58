import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { MemoryWindow } from "./memory-window.ts";

test("accepts at most the limit in every window, and refuses until the announced end", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
      (limit, gaps) => {
        let now = 0;
        const window = new MemoryWindow({ limit, windowMs: 1_000, nowMs: () => now });
        const accepted: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const state = window.take("account");
          if (state.accepted) accepted.push(now);
          else {
            expect(state.remaining).toBe(0);
            const oldest = accepted.at(-limit) ?? Number.NaN;
            expect(state.resetMs).toBe(oldest + 1_000 - now);
          }
        }
        for (const start of accepted) {
          expect(accepted.filter((time) => time >= start && time < start + 1_000).length).toBeLessThanOrEqual(limit);
        }
      },
    ),
  );
});

test("accounts do not share a window", () => {
  const window = new MemoryWindow({ limit: 1, windowMs: 1_000 });
  expect([window.take("a").accepted, window.take("b").accepted, window.take("a").accepted]).toEqual([
    true,
    true,
    false,
  ]);
});

test("accepts one more after a refund, and ends the others at their own times", () => {
  let now = 0;
  const window = new MemoryWindow({ limit: 2, windowMs: 1_000, nowMs: () => now });
  const first = window.take("a");
  now = 400;
  window.take("a");
  window.refund("a", first.entry);
  now = 500;
  expect(window.take("a").accepted).toBe(true);
  expect(window.take("a")).toMatchObject({ accepted: false, resetMs: 900 });
});
