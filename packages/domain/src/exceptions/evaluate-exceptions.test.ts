import { describe, expect, test } from "@jest/globals";
import { type Instant, instant } from "../instant.ts";
import { type ExceptionFacts, evaluateExceptions } from "./evaluate-exceptions.ts";

const now = instant("2026-06-10T12:00:00.000Z");
const calm: ExceptionFacts = {
  lastFreeDay: null,
  timeZone: "America/Los_Angeles",
  holds: [],
  fees: [],
  fullOutAt: null,
  emptyReturnedAt: null,
  delayDays: 0,
  hasArrived: false,
  freshness: "fresh",
};
const kinds = (changes: Partial<ExceptionFacts>, at: Instant = now) =>
  evaluateExceptions({ ...calm, ...changes }, at).map(({ kind, severity, days }) => [kind, severity, days]);

describe("exceptions of a container", () => {
  test("a container without problems has none", () => {
    expect(kinds({ lastFreeDay: "2026-06-14", delayDays: 1, freshness: "late" })).toEqual([]);
  });

  test.each([
    ["2026-06-13", "last_free_day_soon", "warning", 3],
    ["2026-06-11", "last_free_day_soon", "critical", 1],
    ["2026-06-10", "last_free_day_soon", "critical", 0],
    ["2026-06-09", "last_free_day_over", "critical", 1],
  ])("a last free day of %s is %s", (lastFreeDay, ...expected) => {
    expect(kinds({ lastFreeDay })).toEqual([expected]);
  });

  test("the last free day ends with the day at the place of pickup", () => {
    const afterMidnightUtc = instant("2026-06-11T03:00:00.000Z");
    expect(kinds({ lastFreeDay: "2026-06-10" }, afterMidnightUtc)).toEqual([["last_free_day_soon", "critical", 0]]);
    expect(kinds({ lastFreeDay: "2026-06-10", timeZone: "Asia/Tokyo" }, afterMidnightUtc)).toEqual([
      ["last_free_day_over", "critical", 1],
    ]);
  });

  test("what is owed is the total of each currency, and counted once where a total is reported", () => {
    const fee = (type: string, amount: number, currencyCode: string | null) => ({ type, amount, currencyCode });
    const amounts = (...fees: ExceptionFacts["fees"]) => evaluateExceptions({ ...calm, fees }, now)[0]?.amounts;
    expect(amounts(fee("demurrage", 100, "USD"), fee("exam", 50, "USD"), fee("other", 9, "EUR"))).toEqual([
      { amount: 150, currencyCode: "USD" },
      { amount: 9, currencyCode: "EUR" },
    ]);
    expect(amounts(fee("demurrage", 100, "USD"), fee("total", 120, "USD"))).toEqual([
      { amount: 120, currencyCode: "USD" },
    ]);
    expect(amounts(fee("demurrage", 0, "USD"))).toBeUndefined();
  });

  test("what is owed is said once, with the last free day where that is over", () => {
    const fees = [{ type: "demurrage", amount: 450, currencyCode: "USD" }];
    const found = evaluateExceptions({ ...calm, fees, lastFreeDay: "2026-06-07" }, now);
    expect(found).toMatchObject([
      { kind: "last_free_day_over", days: 3, amounts: [{ amount: 450, currencyCode: "USD" }] },
    ]);
    expect(kinds({ fees, lastFreeDay: "2026-06-11" }).map(([kind]) => kind)).toEqual(["fee", "last_free_day_soon"]);
  });

  test("a pending hold is none, one in force is named", () => {
    expect(kinds({ holds: [{ name: "customs", status: "pending" }] })).toEqual([]);
    const holds = [{ name: "customs", status: "hold" }];
    expect(evaluateExceptions({ ...calm, holds }, now)[0]).toMatchObject({ kind: "hold", holds: ["customs"] });
  });

  test("once picked up only its return counts, and once returned nothing", () => {
    const over = { lastFreeDay: "2026-06-01", holds: [{ name: "customs", status: "hold" }], hasArrived: true };
    const fullOutAt = instant("2026-06-05T11:00:00.000Z");
    expect(kinds({ ...over, fullOutAt })).toEqual([["not_returned", "warning", 5]]);
    expect(kinds({ ...over, fullOutAt: instant("2026-06-05T13:00:00.000Z") })).toEqual([]);
    expect(kinds({ ...over, fullOutAt, emptyReturnedAt: now })).toEqual([]);
  });

  test("a delay counts until the arrival; a silent carrier while the shipment is tracked", () => {
    expect(kinds({ delayDays: 2 })).toEqual([["eta_delay", "warning", 2]]);
    expect(kinds({ delayDays: 2, hasArrived: true })).toEqual([]);
    expect(kinds({ freshness: "silent" })).toEqual([["carrier_silent", "warning", null]]);
    expect(kinds({ freshness: null })).toEqual([]);
  });

  test("the most urgent comes first", () => {
    const all = { lastFreeDay: "2026-06-09", delayDays: 9, freshness: "stale" } as const;
    expect(kinds(all).map(([kind]) => kind)).toEqual(["last_free_day_over", "eta_delay", "carrier_silent"]);
  });
});
