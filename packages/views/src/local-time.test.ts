import { expect, test } from "@jest/globals";
import { clockMark, timeMarks } from "./local-time.ts";

const hours = (...at: number[]) => at.map((hour) => Date.UTC(2026, 10, 26, hour));

test("a time axis has days, or the time of day as well where a day would be repeated", () => {
  expect(timeMarks(hours(0, 24, 48), null)).toEqual(["26 Nov", "27 Nov", "28 Nov"]);
  expect(timeMarks(hours(8, 20, 32), null)).toEqual(["26 Nov, 08:00", "26 Nov, 20:00", "27 Nov, 08:00"]);
});

test("a time axis is in the zone of its place", () => {
  expect(timeMarks(hours(20, 32, 44), "Asia/Singapore")).toEqual(["27 Nov, 04:00", "27 Nov, 16:00", "28 Nov, 04:00"]);
});

test("a scale of a local clock has days at midnight and times between", () => {
  expect(hours(0, 6, 18, 24).map(clockMark)).toEqual(["26 Nov", "06:00", "18:00", "27 Nov"]);
});
