import { expect, test } from "@jest/globals";
import { instant } from "../instant.ts";
import { arrivalBetween, next7Days, restOfWeek } from "./view-choices.ts";

test.each([
  ["2026-11-23T00:00:00.000Z", "2026-11-23", "2026-11-29"],
  ["2026-11-27T15:00:00.000Z", "2026-11-27", "2026-11-29"],
  ["2026-11-29T23:59:59.999Z", "2026-11-29", "2026-11-29"],
])("the week of %s is from %s until the Sunday %s", (now, from, to) => {
  expect(restOfWeek(instant(now))).toEqual({ from, to });
});

test("the next seven days begin with today in UTC", () => {
  expect(next7Days(instant("2026-11-27T15:00:00.000Z"))).toEqual({ from: "2026-11-27", to: "2026-12-04" });
});

test("arrivals of this week begin with today and end with Sunday, in UTC", () => {
  expect(arrivalBetween("this_week", instant("2026-11-27T15:00:00.000Z"))).toEqual({
    arrivalAfter: "2026-11-26T23:59:59.999Z",
    arrivalBefore: "2026-11-30T00:00:00.000Z",
  });
});

test("the next days are whole ones from now on, the past days end now", () => {
  const now = instant("2026-11-27T15:00:00.000Z");
  expect(arrivalBetween("next_7_days", now)).toEqual({ arrivalAfter: now, arrivalBefore: "2026-12-05T00:00:00.000Z" });
  expect(arrivalBetween("past_7_days", now)).toEqual({ arrivalAfter: "2026-11-20T15:00:00.000Z", arrivalBefore: now });
});
