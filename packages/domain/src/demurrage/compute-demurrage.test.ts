import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Instant, instant } from "../instant.ts";
import { computeDemurrage, type DemurrageFacts } from "./compute-demurrage.ts";
import type { DemurrageRule } from "./demurrage-rule.ts";
import { describeDemurrage } from "./describe-demurrage.ts";

const at = (text: string): Instant => instant(text);

/** Discharged on Tuesday 22 December 2026, 19:30 in Los Angeles, which is the 23rd in UTC. */
const facts: DemurrageFacts = {
  carrierScac: "SBXL",
  polLocode: "CNSHA",
  polTimeZone: "Asia/Shanghai",
  podLocode: "USLAX",
  podTimeZone: "America/Los_Angeles",
  podTerminalCodes: ["Y258", "LAXT1"],
  equipmentType: "dry",
  equipmentLength: 40,
  emptyOutAt: null,
  fullInAt: null,
  vesselLoadedAt: null,
  vesselArrivedAt: at("2026-12-21T16:00:00Z"),
  dischargedAt: at("2026-12-23T03:30:00Z"),
  availableAt: null,
  leftTerminalAt: null,
  fullOutAt: null,
  emptyReturnedAt: null,
  stoppedAt: null,
};

const rule: DemurrageRule = {
  id: "r1",
  name: "Line tariff",
  kind: "demurrage",
  direction: "import",
  carrierScac: null,
  portLocode: null,
  terminalCode: null,
  equipmentTypes: [],
  equipmentLengths: [],
  validFrom: null,
  validUntil: null,
  countingStart: "discharged",
  startOffsetDays: 1,
  freeDays: 4,
  freeDayCalendar: "calendar_days",
  chargedDayCalendar: "calendar_days",
  weekendDays: [6, 7],
  holidays: [],
  currencyCode: "USD",
  tiers: [
    { fromDay: 1, amountPerDay: "75.10" },
    { fromDay: 3, amountPerDay: "150.20" },
  ],
  rowVersion: 1,
  createdAt: at("2026-01-01T00:00:00Z"),
  updatedAt: at("2026-01-01T00:00:00Z"),
};

/** Noon in Los Angeles. */
const noonOf = (day: string): Instant => at(`${day}T20:00:00Z`);
const charge = (changes: Partial<DemurrageRule>, day: string, changedFacts: Partial<DemurrageFacts> = {}) =>
  computeDemurrage({ ...facts, ...changedFacts }, [{ ...rule, ...changes }], noonOf(day)).charges[0];

describe("days of a charge", () => {
  test("days are those of the port, the first is the day after the discharge", () => {
    expect(charge({}, "2026-12-24")).toMatchObject({
      status: "free",
      startDay: "2026-12-23",
      freeDaysUsed: 2,
      lastFreeDay: "2026-12-26",
      chargedDays: 0,
      amount: "0.00",
      amountPerDay: "75.10",
    });
  });

  test("tiers count from the first charged day, each with its rate", () => {
    const found = charge({}, "2026-12-29");
    expect(found).toMatchObject({ status: "charged", chargedDays: 3, amount: "300.40", amountPerDay: "150.20" });
    expect(found?.days.map(({ date, free, number, amount }) => [date, free, number, amount])).toEqual([
      ["2026-12-23", "free_day", 1, "0.00"],
      ["2026-12-24", "free_day", 2, "0.00"],
      ["2026-12-25", "free_day", 3, "0.00"],
      ["2026-12-26", "free_day", 4, "0.00"],
      ["2026-12-27", null, 1, "75.10"],
      ["2026-12-28", null, 2, "75.10"],
      ["2026-12-29", null, 3, "150.20"],
    ]);
  });

  test("weekends and holidays are skipped inside the free time, and charged after it", () => {
    const working = { freeDayCalendar: "working_days", holidays: ["2026-12-25"] } as const;
    const found = charge(working, "2027-01-02");
    expect(found?.lastFreeDay).toBe("2026-12-29");
    expect(found?.days.map(({ free, number }) => free && [free, number])).toEqual([
      ["free_day", 1],
      ["free_day", 2],
      ["holiday", null],
      ["weekend", null],
      ["weekend", null],
      ["free_day", 3],
      ["free_day", 4],
      null,
      null,
      null,
      null,
    ]);
    const both = charge({ ...working, chargedDayCalendar: "working_days" }, "2027-01-03");
    expect(both).toMatchObject({ chargedDays: 3, amount: "300.40" });
    expect(both?.days.at(-1)).toEqual({ date: "2027-01-03", free: "weekend", number: null, amount: "0.00" });
  });

  test("accepts other weekends, such as Friday and Saturday", () => {
    const found = charge({ freeDayCalendar: "working_days", weekendDays: [5, 6] }, "2026-12-24");
    expect(found?.lastFreeDay).toBe("2026-12-28");
  });

  test("the day of the pickup is charged, and nothing after it", () => {
    const ended = charge({}, "2027-02-01", { leftTerminalAt: at("2026-12-28T18:00:00Z") });
    expect(ended).toMatchObject({ status: "ended", chargedDays: 2, amount: "150.20", amountPerDay: null });
  });

  test("without free days the last free day is the day before the first", () => {
    const found = charge({ freeDays: 0, startOffsetDays: 0 }, "2026-12-22");
    expect(found).toMatchObject({ startDay: "2026-12-22", lastFreeDay: "2026-12-21", amount: "75.10" });
  });

  test("waits for its start; what ended without a reported start or end is not computed", () => {
    const unknown = { dischargedAt: null };
    expect(charge({}, "2026-12-24", unknown)).toMatchObject({ status: "waiting", lastFreeDay: null, days: [] });
    expect(charge({}, "2026-12-24", { ...unknown, leftTerminalAt: noonOf("2026-12-24") })).toBeUndefined();
    expect(charge({}, "2026-12-24", { emptyReturnedAt: noonOf("2026-12-24") })).toBeUndefined();
  });

  test("when tracking stops, counting stops", () => {
    const stopped = charge({}, "2027-06-01", { stoppedAt: noonOf("2026-12-27") });
    expect(stopped).toMatchObject({ status: "stopped", chargedDays: 1, amountPerDay: null });
  });

  test("detention from the pickup, export demurrage from the gate-in in the zone of the port of lading", () => {
    const detention = { kind: "detention", countingStart: "full_out" } as const;
    const out = { leftTerminalAt: noonOf("2026-12-24"), fullOutAt: noonOf("2026-12-24") };
    expect(charge(detention, "2026-12-29", out)).toMatchObject({ startDay: "2026-12-25", chargedDays: 1 });
    const before = { dischargedAt: null, vesselArrivedAt: null };
    const exported = { ...before, fullInAt: at("2026-11-01T17:00:00Z") };
    const rules = { direction: "export", countingStart: "full_in" } as const;
    expect(charge(rules, "2026-11-08", exported)).toMatchObject({ startDay: "2026-11-03", chargedDays: 3 });
  });
});

describe("the rule that applies", () => {
  const select = (...rules: Partial<DemurrageRule>[]) =>
    computeDemurrage(
      facts,
      rules.map((one, index) => ({ ...rule, ...one, id: `r${index}` })),
      noonOf("2026-12-24"),
    ).charges.map(({ ruleId }) => ruleId);

  test("is the most specific: terminal, port, carrier, equipment", () => {
    const terminal = { portLocode: "USLAX", terminalCode: "LAXT1" };
    expect(select({}, { carrierScac: "SBXL" }, { portLocode: "USLAX" }, terminal)).toEqual(["r3"]);
    expect(select({ carrierScac: "SBXL" }, { portLocode: "USLAX" })).toEqual(["r1"]);
    expect(select({ equipmentTypes: ["dry"] }, { carrierScac: "SBXL" })).toEqual(["r1"]);
    expect(select({}, { equipmentTypes: ["dry"] })).toEqual(["r1"]);
  });

  test("ignores rules of another carrier, port, terminal, equipment or period", () => {
    const otherTerminal = { portLocode: "USLAX", terminalCode: "LAXT2" };
    const reefers = { equipmentTypes: ["reefer"] };
    const others = [
      { carrierScac: "MAEU" },
      { portLocode: "USNYC" },
      otherTerminal,
      reefers,
      { equipmentLengths: [20] },
    ];
    expect(select(...others, { validUntil: "2026-12-22" }, { validFrom: "2026-12-24" })).toEqual([]);
    expect(select({ validFrom: "2026-12-23", validUntil: "2026-12-23" })).toEqual(["r0"]);
  });
});

describe("amounts", () => {
  test("have the decimal places of the currency and are exact", () => {
    const cents = { freeDays: 0, tiers: [{ fromDay: 1, amountPerDay: "0.1" }] };
    expect(charge(cents, "2026-12-25")?.amount).toBe("0.30");
    expect(charge({ ...cents, currencyCode: "KWD" }, "2026-12-25")?.amount).toBe("0.300");
    const yen = { freeDays: 0, currencyCode: "JPY", tiers: [{ fromDay: 1, amountPerDay: "8000" }] };
    expect(charge(yen, "2026-12-25")?.amount).toBe("24000");
  });

  test("are the sum of the days, and never shrink with time, whatever the rule", () => {
    const tiers = fc.tuple(fc.nat(99_999), fc.nat(99_999)).map(([first, second]) => [
      { fromDay: 1, amountPerDay: (first / 100).toFixed(2) },
      { fromDay: 4, amountPerDay: (second / 100).toFixed(2) },
    ]);
    const calendar = fc.constantFrom("calendar_days" as const, "working_days" as const);
    const terms = fc.record({ freeDays: fc.nat(30), tiers, freeDayCalendar: calendar, chargedDayCalendar: calendar });
    const cents = (text: string): bigint => BigInt(text.replace(".", ""));
    fc.assert(
      fc.property(terms, fc.nat(80), (changes, days) => {
        const today = new Date(Date.UTC(2026, 11, 23 + days)).toISOString().slice(0, 10);
        const tomorrow = new Date(Date.UTC(2026, 11, 24 + days)).toISOString().slice(0, 10);
        const [found, next] = [charge(changes, today), charge(changes, tomorrow)];
        if (!found || !next) throw new Error("no charge");
        expect(cents(found.amount)).toBe(found.days.reduce((sum, one) => sum + cents(one.amount), 0n));
        expect(found.days.filter(({ free }) => free === "free_day").length).toBe(found.freeDaysUsed);
        expect(found.freeDaysUsed + found.chargedDays + found.days.filter(({ number }) => number === null).length).toBe(
          days + 1,
        );
        expect(cents(next.amount) >= cents(found.amount)).toBe(true);
        expect((found.lastFreeDay ?? "9999") < today).toBe(
          found.freeDaysUsed === found.freeDays && found.days.length > 0 && found.days.at(-1)?.free !== "free_day",
        );
      }),
    );
  });
});

test("time changes a running charge at the next local midnight, and no other", () => {
  expect(computeDemurrage(facts, [rule], noonOf("2026-12-24")).nextChangeAt).toBe("2026-12-25T08:00:00.000Z");
  const ended = { ...facts, leftTerminalAt: noonOf("2026-12-24") };
  expect(computeDemurrage(ended, [rule], noonOf("2026-12-24")).nextChangeAt).toBeNull();
});

test("the explanation names start, free time, rates and what comes", () => {
  const found = charge({ freeDayCalendar: "working_days" }, "2026-12-31");
  expect(found && describeDemurrage(found, false)).toBe(
    "Discharged; counted from 23 Dec 2026. 4 of 4 days free used, 2 days not counted as weekend or holiday, last free day " +
      "28 Dec 2026. 3 days charged: 2 × 75.10 + 1 × 150.20 = 300.40 USD. The next day charged costs 150.20 USD.",
  );
  const ended = charge({}, "2026-12-31", { leftTerminalAt: noonOf("2026-12-24") });
  expect(ended && describeDemurrage(ended, false)).toContain("Counting has ended: picked up.");
  expect(ended && describeDemurrage(ended, true)).toContain("Counting has ended: left the port by rail.");
});
