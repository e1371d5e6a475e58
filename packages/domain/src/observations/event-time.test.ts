import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readEventTime, readReportTime } from "./event-time.ts";

describe("event times as carriers write them", () => {
  test.each([
    ["2026-03-05T17:45:00+08:00", "2026-03-05T09:45:00.000Z"],
    ["2026-03-05T17:45:00.123456Z", "2026-03-05T17:45:00.123Z"],
    ["2026-03-05T17:45:00-0330", "2026-03-05T21:15:00.000Z"],
    ["2026-03-05 17:45+08", "2026-03-05T09:45:00.000Z"],
    ["2026-03-05T00:00:00+14:00", "2026-03-04T10:00:00.000Z"],
  ])("%s is exact", (text, at) => {
    expect(readEventTime(text, "America/New_York")).toMatchObject({ at, precision: "exact" });
  });

  test.each([
    ["2026-03-05T17:45:00", "Asia/Shanghai", "2026-03-05T09:45:00.000Z", "local_assumed"],
    ["2026-07-05T17:45:00", "America/New_York", "2026-07-05T21:45:00.000Z", "local_assumed"],
    ["2026-01-05T17:45:00", "America/New_York", "2026-01-05T22:45:00.000Z", "local_assumed"],
    ["2026-03-05T17:45:00", null, "2026-03-05T17:45:00.000Z", "local_assumed"],
    ["2026-03-05T17:45:00", "Mars/Olympus", "2026-03-05T17:45:00.000Z", "local_assumed"],
    ["2026-03-05", "Asia/Kolkata", "2026-03-04T18:30:00.000Z", "date_only"],
    ["2026-03-05", null, "2026-03-05T00:00:00.000Z", "date_only"],
  ])("%s in zone %s is %s, %s", (text, zone, at, precision) => {
    expect(readEventTime(text, zone)).toMatchObject({ at, precision });
  });

  test("an unreliable offset is ignored", () => {
    expect(readEventTime("2026-03-05T17:45:00Z", "Asia/Shanghai", { offsetIsLocal: true })).toMatchObject({
      at: "2026-03-05T09:45:00.000Z",
      precision: "local_assumed",
    });
  });

  test.each(["", "soon", "2026-02-30T10:00:00Z", "2026-03-05T25:00:00Z", "0026-03-05", "2026-03-05T10:00:00+19:00"])(
    "%j is no time",
    (text) => {
      expect(readEventTime(text, null)).toBeNull();
    },
  );

  test.each([
    ["2026-03-05", "Pacific/Kiritimati", "2026-03-05"],
    ["2026-03-05", null, "2026-03-05"],
    ["2026-03-05T23:30:00", "America/Los_Angeles", "2026-03-05"],
    ["2026-03-05T17:45:00Z", "Asia/Shanghai", "2026-03-06"],
    ["2026-03-05T23:30:00-08:00", null, "2026-03-05"],
    ["2026-03-05T23:30:00Z", null, null],
  ])("%s in zone %s keeps the local date %s", (text, zone, localDate) => {
    expect(readEventTime(text, zone)?.localDate).toBe(localDate);
  });

  test("local times are converted back to the same time, except in the repeated hour", () => {
    const zones = ["Asia/Shanghai", "America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo"];
    const timestamp = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
    fc.assert(
      fc.property(timestamp, fc.constantFrom(...zones), (epochMs, timeZone) => {
        const second = Math.floor(epochMs / 1000) * 1000;
        const wall = new Date(second).toLocaleString("sv-SE", { timeZone });
        const read = readEventTime(wall, timeZone);
        expect([0, 3_600_000]).toContain(Math.abs(Date.parse(read?.at ?? "") - second));
      }),
    );
  });

  test("a report time without an offset is UTC", () => {
    expect(readReportTime("2026-03-05T17:45:00")).toBe("2026-03-05T17:45:00.000Z");
    expect(readReportTime("later")).toBeNull();
  });
});
