import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { localTime, localTimeText } from "@svc/views";
import { inReaderZone } from "./reader-zone.ts";

const noon = instant("2026-11-21T12:30:00Z");

describe("times of a place", () => {
  test.each([
    ["Europe/Berlin", "Sat, 21 Nov 2026, 13:30 CET"],
    ["Asia/Shanghai", "Sat, 21 Nov 2026, 20:30 GMT+8"],
    ["Asia/Kolkata", "Sat, 21 Nov 2026, 18:00 GMT+5:30"],
    ["America/Los_Angeles", "Sat, 21 Nov 2026, 04:30 GMT-8"],
    ["Pacific/Kiritimati", "Sun, 22 Nov 2026, 02:30 GMT+14"],
    [null, "Sat, 21 Nov 2026, 12:30 UTC (local zone unknown)"],
    ["Not/A_Zone", "Sat, 21 Nov 2026, 12:30 UTC (local zone unknown)"],
  ])("%s", (zone, text) => {
    expect(localTimeText(noon, zone)).toBe(text);
  });

  test("midnight is 00:00, and summer time is seen", () => {
    expect(localTimeText(instant("2026-07-01T22:00:00Z"), "Europe/Berlin")).toBe("Thu, 2 Jul 2026, 00:00 CEST");
  });

  test("shows only the day of a time with the precision of a day", () => {
    expect(localTimeText(noon, "Asia/Shanghai", "date_only")).toBe("Sat, 21 Nov 2026");
  });

  test("shows a dash for an unknown time", () => {
    expect(String(localTime(null, "Europe/Berlin"))).toContain("–");
  });
});

describe("times in the zone that the reader chose", () => {
  const text = (zone: string | null, precision?: "date_only") =>
    inReaderZone("America/Los_Angeles", () => localTimeText(noon, zone, precision));

  test("are shown in that zone, or on request in the zone of the place", () => {
    expect(text("Asia/Shanghai")).toBe("Sat, 21 Nov 2026, 04:30 GMT-8");
    const markup = inReaderZone("UTC", () => String(localTime(noon, "Asia/Shanghai")));
    expect(markup).toContain('title="Sat, 21 Nov 2026, 20:30 GMT+8 there">Sat, 21 Nov 2026, 12:30 UTC<');
  });

  test("a day stays that of the place, and a clock without a zone stays that clock", () => {
    expect(inReaderZone("Pacific/Kiritimati", () => localTimeText(noon, "Europe/Berlin", "date_only"))).toBe(
      "Sat, 21 Nov 2026",
    );
    expect(text(null)).toBe("Sat, 21 Nov 2026, 12:30 UTC (local zone unknown)");
  });
});
