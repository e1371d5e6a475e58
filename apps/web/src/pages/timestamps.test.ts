import { expect, test } from "@jest/globals";
import { ageText, relativeTime } from "./relative-time.ts";
import { briefTimestamp, elapsedSince, relativeTimestamp, withoutAges } from "./timestamps.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test.each([
  [0, "just now"],
  [-59_999, "just now"],
  [30_000, "in a moment"],
  [-minute, "1 minute ago"],
  [-2 * hour + 1, "1 hour ago"],
  [5 * minute, "in 5 minutes"],
  [-400 * day, "400 days ago"],
])("%d ms from now is %s", (ms, label) => {
  expect(relativeTime(ms)).toBe(label);
});

test.each([
  [undefined, "2 hours ago", "just now"],
  ["brief", "2 h", "0 min"],
  ["elapsed", "2 hours", "less than a minute"],
])("the age of two hours, and of a second, in the form %s is %s, and %s", (form, hours, second) => {
  expect([ageText(-2 * hour, form), ageText(-1_000, form)]).toEqual([hours, second]);
});

test("the markup of a moment depends on the current time only in its age", () => {
  const at = "2026-06-01T10:00:00.000Z";
  const [early, late] = ["2026-06-01T10:05:00Z", "2026-06-03T10:05:00Z"].map((now) =>
    String(relativeTimestamp(at, Date.parse(now))),
  );
  expect(early).toContain('title="2026-06-01 10:00:00 UTC" data-age="1780308300000">5 minutes ago</time>');
  expect(late).toContain(">2 days ago</time>");
  expect(withoutAges(`<td>${early}</td><td>kept</td>`)).toBe(withoutAges(`<td>${late}</td><td>kept</td>`));
  expect(withoutAges(`<td>${early}</td><td>kept</td>`)).toMatch(/UTC"><\/time><\/td><td>kept<\/td>$/);
});

test.each([briefTimestamp, elapsedSince])(
  "the markup of an age in another form is the same at any time: %p",
  (form) => {
    const [early, late] = ["2026-06-01T10:05:00Z", "2026-06-03T10:05:00Z"].map((now) =>
      withoutAges(String(form("2026-06-01T10:00:00.000Z", Date.parse(now)))),
    );
    expect(early).toBe(late);
  },
);
