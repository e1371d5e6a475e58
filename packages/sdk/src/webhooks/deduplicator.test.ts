import { describe, expect, jest, test } from "@jest/globals";
import { createDeduplicator, handledIdsInMemory } from "./deduplicator.ts";

describe("createDeduplicator [spec: events.2]", () => {
  test("handles a notification once, however often it is delivered", async () => {
    const once = createDeduplicator();
    const handle = jest.fn<() => void>();
    expect([await once("a", handle), await once("a", handle), await once("b", handle)]).toEqual([true, false, true]);
    expect(handle).toHaveBeenCalledTimes(2);
  });

  test("a failed handling is passed on, and the next delivery is handled", async () => {
    const once = createDeduplicator();
    await expect(once("a", () => Promise.reject(new Error("database")))).rejects.toThrow("database");
    expect(await once("a", () => undefined)).toBe(true);
  });

  test("a delivery that arrives meanwhile shares the outcome: it is not acknowledged when the handling fails", async () => {
    const once = createDeduplicator();
    let fail = (_error: Error): void => undefined;
    const first = once("a", () => new Promise<void>((_resolve, reject) => (fail = reject)));
    const second = once("a", () => undefined);
    await Promise.resolve();
    fail(new Error("late"));
    await expect(first).rejects.toThrow("late");
    await expect(second).rejects.toThrow("late");
  });

  test("forgets the oldest id, not more", async () => {
    const ids = handledIdsInMemory({ maxIds: 2 });
    expect(["a", "b", "c"].map((id) => ids.claim(id))).toEqual([true, true, true]);
    expect([ids.claim("b"), ids.claim("c"), ids.claim("a")]).toEqual([false, false, true]);
  });
});
