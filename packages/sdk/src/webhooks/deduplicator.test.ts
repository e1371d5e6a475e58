import { mock } from "node:test";
import { describe, expect, test } from "@jest/globals";
import { createDeduplicator, NotificationInProgressError } from "./deduplicator.ts";
import { handledIdsInMemory } from "./handled-ids.ts";

const nothing = (): void => undefined;
const never = () => new Promise<void>(nothing);

describe("createDeduplicator [spec: events.2]", () => {
  test("handles a notification once, however often it is delivered", async () => {
    const once = createDeduplicator();
    const handle = mock.fn<() => void>();
    expect([await once("a", handle), await once("a", handle), await once("b", handle)]).toEqual([true, false, true]);
    expect(handle.mock.callCount()).toBe(2);
  });

  test("a failed handling is passed on, and the next delivery is handled", async () => {
    const once = createDeduplicator();
    await expect(once("a", () => Promise.reject(new Error("database")))).rejects.toThrow("database");
    expect(await once("a", nothing)).toBe(true);
  });

  test("a delivery that arrives meanwhile shares the outcome: it is not acknowledged when the handling fails", async () => {
    const once = createDeduplicator();
    let fail = (_error: Error): void => undefined;
    const first = once("a", () => new Promise<void>((_resolve, reject) => (fail = reject)));
    const second = once("a", nothing);
    await Promise.resolve();
    fail(new Error("late"));
    await expect(first).rejects.toThrow("late");
    await expect(second).rejects.toThrow("late");
  });

  test("requests redelivery of a notification that another process is handling, and handles it if that process fails", async () => {
    const store = handledIdsInMemory();
    const [one, other] = [createDeduplicator({ store }), createDeduplicator({ store, handlingMaxMs: 90_500 })];
    let fail = (_error: Error): void => undefined;
    const first = one("a", () => new Promise<void>((_resolve, reject) => (fail = reject)));
    const second = other("a", nothing);
    await expect(second).rejects.toBeInstanceOf(NotificationInProgressError);
    await expect(second).rejects.toMatchObject({ status: 503, retryAfterSeconds: 91 });
    fail(new Error("late"));
    await expect(first).rejects.toThrow("late");
    expect([await other("a", nothing), await one("a", nothing)]).toEqual([true, false]);
  });

  test("handles a notification of a killed process when its claim has expired", async () => {
    let now = 0;
    const store = handledIdsInMemory({ nowMs: () => now });
    void createDeduplicator({ store, handlingMaxMs: 1_000 })("a", never);
    const once = createDeduplicator({ store, handlingMaxMs: 1_000 });
    now = 999;
    await expect(once("a", nothing)).rejects.toBeInstanceOf(NotificationInProgressError);
    now = 1_000;
    expect([await once("a", nothing), await once("a", nothing)]).toEqual([true, false]);
  });

  test("keeps the claim of a later handler when one whose claim expired fails", async () => {
    let now = 0;
    const store = handledIdsInMemory({ nowMs: () => now });
    const [one, other, third] = [
      createDeduplicator({ store }),
      createDeduplicator({ store }),
      createDeduplicator({ store }),
    ];
    let fail = (_error: Error): void => undefined;
    const first = one("a", () => new Promise<void>((_resolve, reject) => (fail = reject)));
    now = 60_000;
    void other("a", never);
    await Promise.resolve();
    fail(new Error("late"));
    await expect(first).rejects.toThrow("late");
    await expect(third("a", nothing)).rejects.toBeInstanceOf(NotificationInProgressError);
  });

  test("a store that fails acknowledges nothing, and hides no error of the handler", async () => {
    const down = () => Promise.reject(new Error("store"));
    const store = handledIdsInMemory();
    const handle = mock.fn<() => void>();
    await expect(createDeduplicator({ store: { ...store, begin: down } })("a", handle)).rejects.toThrow("store");
    expect(handle.mock.callCount()).toBe(0);
    await expect(createDeduplicator({ store: { ...store, done: down } })("b", handle)).rejects.toThrow("store");
    const failing = createDeduplicator({ store: { ...store, release: down } })("c", () => {
      throw new Error("handler");
    });
    await expect(failing).rejects.toThrow("handler");
  });

  test("evicts the oldest id only", () => {
    const ids = handledIdsInMemory({ maxIds: 2 });
    const begin = (id: string) => ids.begin(id, "owner", 1_000);
    const beginAndEnd = (id: string) => [begin(id), ids.done(id)][0];
    expect(["a", "b", "c"].map(beginAndEnd)).toEqual(["new", "new", "new"]);
    expect(["b", "c", "a"].map(begin)).toEqual(["done", "done", "new"]);
  });
});
