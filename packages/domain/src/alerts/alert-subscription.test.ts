import { expect, test } from "@jest/globals";
import { type AlertSchedule, nextDigestMs } from "./alert-subscription.ts";

const daily: AlertSchedule = { frequency: "daily", hour: 8, weekday: null, timeZone: "Europe/Berlin" };
const weekly: AlertSchedule = { ...daily, frequency: "weekly", weekday: 1 };
const next = (schedule: AlertSchedule, after: string): string | null => {
  const nextMs = nextDigestMs(schedule, Date.parse(after));
  return nextMs === null ? null : new Date(nextMs).toISOString();
};

test.each([
  [daily, "2026-11-23T06:59:59Z", "2026-11-23T07:00:00.000Z"],
  [daily, "2026-11-23T07:00:00Z", "2026-11-24T07:00:00.000Z"],
  [weekly, "2026-11-23T06:00:00Z", "2026-11-23T07:00:00.000Z"],
  [weekly, "2026-11-23T07:00:00Z", "2026-11-30T07:00:00.000Z"],
  [{ ...weekly, weekday: 7 }, "2026-11-23T07:00:00Z", "2026-11-29T07:00:00.000Z"],
  [{ ...daily, timeZone: "Pacific/Auckland" }, "2026-11-23T18:59:00Z", "2026-11-23T19:00:00.000Z"],
  [{ ...daily, timeZone: "America/Los_Angeles", hour: 23 }, "2026-11-23T06:00:00Z", "2026-11-23T07:00:00.000Z"],
])("a digest of %j is due next after %s at %s", (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test("a digest stays at its local hour when the clock changes, once a day", () => {
  expect(next(daily, "2026-03-28T07:00:00Z")).toBe("2026-03-29T06:00:00.000Z");
  expect(next(daily, "2026-10-24T06:00:00Z")).toBe("2026-10-25T07:00:00.000Z");
  const inTheGap = { ...daily, hour: 2 };
  const first = next(inTheGap, "2026-03-28T12:00:00Z") ?? "";
  expect(first.slice(0, 10)).toBe("2026-03-29");
  expect(next(inTheGap, first)).toBe("2026-03-30T00:00:00.000Z");
});

test("an alert at once has no digest", () => {
  expect(next({ frequency: "at_once", hour: null, weekday: null, timeZone: null }, "2026-11-23T07:00:00Z")).toBeNull();
});
