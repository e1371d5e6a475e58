import { describe, expect, test } from "@jest/globals";
import type { WatchedRecords } from "@svc/persistence/live-changes";
import { eventually } from "@svc/testkit";
import { createChangeFeed } from "./change-feed.ts";

const [ann, bob] = ["ann", "bob"].map((accountId): WatchedRecords => ({ accountId, shipmentId: null }));

function setUp() {
  const state = { version: "1", fails: false, reads: [] as (readonly WatchedRecords[])[], failures: 0 };
  const feed = createChangeFeed({
    readVersions: async (records) => {
      state.reads.push(records);
      if (state.fails) throw new Error("The database is away.");
      return records.map(({ accountId }) => (accountId === "ann" ? state.version : "same"));
    },
    onFailure: () => {
      state.failures += 1;
    },
  });
  const watch = (records: WatchedRecords | undefined) => {
    const events: string[] = [];
    if (!records) throw new Error("No records.");
    const end = feed.watch(records, { ready: () => events.push("ready"), changed: () => events.push("changed") });
    return { events, end };
  };
  return { state, watch };
}

describe("the changes that open pages are notified of", () => {
  test("are read once for all pages of the same records, and reported to those alone", async () => {
    const { state, watch } = setUp();
    const pages = [watch(ann), watch(ann), watch(bob)];
    await eventually("all are ready", () => pages.every(({ events }) => events[0] === "ready"));
    state.version = "2";
    await eventually("the change is reported", () => pages[0]?.events.includes("changed"));
    expect(pages.map(({ events }) => events)).toEqual([["ready", "changed"], ["ready", "changed"], ["ready"]]);
    expect(Math.max(...state.reads.map((records) => records.length))).toBe(2);
    const later = watch(ann);
    expect(later.events).toEqual(["ready"]);
    for (const { end } of [...pages, later]) end();
  });

  test("are not read while no page is open", async () => {
    const { state, watch } = setUp();
    const first = watch(ann);
    await eventually("the page is ready", () => first.events.length === 1);
    first.end();
    const second = watch(bob);
    await eventually("the other page is ready", () => second.events.length === 1);
    second.end();
    expect(state.reads.at(-1)).toEqual([bob]);
  });

  test("are found after failures, of which only the first of a row is reported", async () => {
    const { state, watch } = setUp();
    const page = watch(ann);
    await eventually("the page is ready", () => page.events.length === 1);
    state.fails = true;
    const before = state.reads.length;
    await eventually("reading failed twice", () => state.reads.length >= before + 2);
    state.version = "2";
    state.fails = false;
    await eventually("the change is reported", () => page.events.at(-1) === "changed");
    expect([page.events, state.failures]).toEqual([["ready", "changed"], 1]);
    page.end();
  });
});
