import { describe, expect, test } from "@jest/globals";
import { parseTime, timeAhead } from "./collection-commands.ts";

const now = Date.parse("2026-11-22T12:00:00Z");

describe("times on the command line", () => {
  test.each([
    ["36h", "2026-11-21T00:00:00.000Z"],
    ["2w", "2026-11-08T12:00:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T08:00:00+08:00", "2026-11-01T00:00:00.000Z"],
  ])("%s is %s", (text, expected) => {
    expect(parseTime(text, now)).toBe(expected);
  });

  test.each([
    ["4h", "2026-11-22T16:00:00.000Z"],
    ["2d", "2026-11-24T12:00:00.000Z"],
    ["2026-12-01", "2026-12-01T00:00:00.000Z"],
  ])("%s from now is %s", (text, expected) => {
    expect(timeAhead(text, now)).toBe(expected);
  });

  test.each(["yesterday", "7", "2026-13-01", "99999999d", ""])("rejects %j and shows an example", (text) => {
    expect(() => parseTime(text, now)).toThrow(/36h, 7d/);
  });
});
