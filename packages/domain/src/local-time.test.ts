import { expect, test } from "@jest/globals";
import { startOfLocalDate } from "./local-time.ts";

test.each([
  ["2026-12-24", "UTC", "2026-12-24T00:00:00.000Z"],
  ["2026-12-24", "Asia/Shanghai", "2026-12-23T16:00:00.000Z"],
  ["2026-12-24", "Pacific/Kiritimati", "2026-12-23T10:00:00.000Z"],
  ["2026-12-24", "America/Los_Angeles", "2026-12-24T08:00:00.000Z"],
  // The day after the clocks were put forward in the night, and the day before.
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
])("the date %s begins in the zone %s at %s", (day, zone, at) => {
  expect(startOfLocalDate(day, zone)).toBe(at);
});
