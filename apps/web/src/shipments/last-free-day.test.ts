import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { words } from "../testing/words.ts";
import { lastFreeDayNote } from "./last-free-day.ts";

const note = (lastFreeDay: string | null, now: string, timeZone: string): string =>
  words(String(lastFreeDayNote(lastFreeDay, instant(now), timeZone))).trim();

describe("[issue 17] the last free day in a list", () => {
  test.each([
    // 1 November 23:30 in Los Angeles, and 2 November 16:30 in Tokyo.
    ["2026-11-02T07:30:00Z", "America/Los_Angeles", "2 Nov in 1 day"],
    ["2026-11-02T07:30:00Z", "Asia/Tokyo", "2 Nov today"],
    ["2026-11-02T08:30:00Z", "America/Los_Angeles", "2 Nov today"],
    ["2026-11-02T15:30:00Z", "Asia/Tokyo", "2 Nov 1 day ago"],
    ["2026-11-02T15:30:00Z", "an unknown zone", "2 Nov today"],
  ])("at %s in %s: %s", (now, timeZone, expected) => {
    expect(note("2026-11-02", now, timeZone)).toBe(expected);
  });

  test("is a dash when it is not known", () => {
    expect(note(null, "2026-11-02T07:30:00Z", "UTC")).toBe("–");
  });
});
