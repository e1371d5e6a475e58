import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, hourMs, instant, minuteMs, msBetween } from "../instant.ts";
import { greatCircleNm } from "../sea-routes/great-circle.ts";
import {
  followReport,
  isReachable,
  type PositionTrack,
  speedMaxKnots,
  thinningIntervalMs,
  trackFrom,
} from "./position-track.ts";
import type { VesselPosition } from "./vessel-position.ts";

const start = instant("2026-11-25T00:00:00Z");

/** A report some minutes after the start, some nautical miles north of the equator. */
const reportAt = (minutes: number, northNm: number, rest: Partial<VesselPosition> = {}): VesselPosition => ({
  position: [20, northNm / 60],
  at: addMs(start, minutes * minuteMs),
  speedKnots: 18,
  courseDegrees: 0,
  headingDegrees: 0,
  ...rest,
});

function outcomesOf(reports: readonly VesselPosition[], track: PositionTrack = trackFrom(null)) {
  return reports.map((report) => {
    const followed = followReport(track, report, addMs(report.at, minuteMs));
    track = followed.track;
    return followed.outcome;
  });
}

describe("positions of a vessel", () => {
  test("keeps one position for ten minutes, and each change of course", () => {
    const turned = { courseDegrees: 350 };
    expect(
      outcomesOf([
        reportAt(0, 0),
        reportAt(5, 1.5),
        reportAt(10, 3),
        reportAt(12, 3.6, { courseDegrees: 14 }),
        reportAt(14, 4.2, { courseDegrees: 16 }),
        reportAt(14.5, 4.3, turned),
        reportAt(15, 4.5, turned),
        reportAt(17, 5, { courseDegrees: 100, speedKnots: 0.4 }),
      ]),
    ).toEqual(["kept", "thinned", "kept", "thinned", "kept", "thinned", "kept", "thinned"]);
  });

  test("refuses a speed or a jump that no vessel makes", () => {
    expect(
      outcomesOf([reportAt(0, 0), reportAt(60, 200), reportAt(61, 18, { speedKnots: 102.2 }), reportAt(62, 19)]),
    ).toEqual(["kept", "implausible", "implausible", "kept"]);
  });

  test("follows the vessel once five reports in a row agree that it is elsewhere", () => {
    const distantReports = [60, 61, 62, 63, 64].map((minute) => reportAt(minute, 600 + minute / 4));
    expect(outcomesOf([reportAt(0, 0), ...distantReports])).toEqual([
      "kept",
      "implausible",
      "implausible",
      "implausible",
      "implausible",
      "kept",
    ]);
    const interrupted = [...distantReports.slice(0, 4), reportAt(63.5, 18), ...distantReports.slice(4)];
    expect(outcomesOf([reportAt(0, 0), ...interrupted]).at(-1)).toBe("implausible");
  });

  test("refuses reports of the future, of the past and those older than a day", () => {
    const track = trackFrom(reportAt(60, 18));
    const outcome = (report: VesselPosition, now = start) => followReport(track, report, now).outcome;
    expect(outcome(reportAt(66, 20))).toBe("in_future");
    expect(outcome(reportAt(60, 18), addMs(start, hourMs))).toBe("outdated");
    expect(outcome(reportAt(61, 18), addMs(start, 26 * hourMs))).toBe("outdated");
    expect(outcome(reportAt(65, 19), addMs(start, hourMs))).toBe("thinned");
  });

  test("keeps positions in order of time that a vessel can reach, whatever is reported", () => {
    const anyReport = fc.record({
      minutes: fc.integer({ min: 0, max: 600 }),
      position: fc.tuple(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -90, max: 90, noNaN: true }),
      ),
      speedKnots: fc.option(fc.double({ min: 0, max: 102.2, noNaN: true })),
      courseDegrees: fc.option(fc.double({ min: 0, max: 359.9, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 40 }), (reports) => {
        let track = trackFrom(null);
        const stored: VesselPosition[] = [];
        for (const { minutes, ...rest } of reports) {
          const report = { ...reportAt(minutes, 0), ...rest };
          const before = track;
          const followed = followReport(track, report, addMs(start, 600 * minuteMs));
          track = followed.track;
          if (followed.outcome !== "kept") expect(track.kept).toBe(before.kept);
          else {
            // A jump is kept only after four reports in a row doubted the former place.
            const isContinued = before.latest === null || isReachable(before.latest, report);
            expect(isContinued || before.doubted?.count === 4).toBe(true);
            stored.push(report);
          }
        }
        for (const [index, report] of stored.entries()) {
          expect(report.speedKnots ?? 0).toBeLessThanOrEqual(speedMaxKnots);
          const before = stored[index - 1];
          if (before) expect(msBetween(before.at, report.at)).toBeGreaterThanOrEqual(minuteMs);
        }
      }),
    );
  });

  test("thins a straight voyage to one position in ten minutes, and loses no part of it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 300 }), (knots, everySeconds) => {
        let track = trackFrom(null);
        const stored: VesselPosition[] = [];
        for (let seconds = 0; seconds <= 6 * 3_600; seconds += everySeconds) {
          const report = reportAt(seconds / 60, (knots * seconds) / 3_600, { speedKnots: knots });
          const followed = followReport(track, report, report.at);
          track = followed.track;
          if (followed.outcome === "kept") stored.push(report);
        }
        for (const [index, report] of stored.entries()) {
          const before = stored[index - 1];
          if (before === undefined) continue;
          expect(msBetween(before.at, report.at)).toBeGreaterThanOrEqual(thinningIntervalMs);
          expect(msBetween(before.at, report.at)).toBeLessThan(thinningIntervalMs + everySeconds * 1_000);
          expect(greatCircleNm(before.position, report.position)).toBeLessThanOrEqual((knots * 15) / 60 + 0.1);
        }
      }),
    );
  });
});
