import { describe, expect, test } from "@jest/globals";
import { addMs, instant } from "@svc/domain";
import fc from "fast-check";
import type { AisReport } from "./ais-report.ts";
import { NmeaSentences } from "./nmea-sentences.ts";
import { classA, classB, type EncodedPosition, longRange, sentencesOf, staticData } from "./testing/encode-message.ts";

const now = instant("2026-11-25T10:00:00Z");

function read(lines: readonly string[]) {
  const reports: AisReport[] = [];
  let malformed = 0;
  const sentences = new NmeaSentences({
    receive: (report) => void reports.push(report),
    malformed: () => {
      malformed += 1;
    },
  });
  for (const line of lines) sentences.readLine(line, now);
  return { reports, malformed };
}

/** Sentences as ships transmitted them, which other decoders publish as examples. */
const received = {
  classA: "!AIVDM,1,1,,B,15M67FC000G?ufbE`FepT@3n00Sa,0*5C",
  classB: "!AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP06,0*4C",
  extendedClassB: "!AIVDM,1,1,,B,C5N3SRgPEnJGEBT>NhWAwwo862PaLELTBJ:V00000000S0D:R220,0*0B",
  longRange: "!AIVDM,1,1,,B,KC5E2b@U19PFdLbMuc5=ROv62<7m,0*16",
  staticData: [
    "!AIVDM,2,1,3,B,55P5TL01VIaAL@7WKO@mBplU@<PDhh000000001S;AJ::4A80?4i@E53,0*3E",
    "!AIVDM,2,2,3,B,1@0000000000000,2*55",
  ],
} as const;

describe("AIS sentences", () => {
  test("reads what ships transmitted", () => {
    const one = (line: string) => read([line]).reports[0];
    expect(one(received.classA)).toEqual({
      kind: "position",
      mmsi: "366053209",
      at: now,
      speedKnots: 0,
      courseDegrees: 219.3,
      headingDegrees: 1,
      position: [expect.closeTo(-122.341618, 5), expect.closeTo(37.802118, 5)],
    });
    expect(one(received.classB)).toMatchObject({
      mmsi: "338087471",
      speedKnots: 0.1,
      courseDegrees: 79.6,
      headingDegrees: null,
      position: [expect.closeTo(-74.072132, 5), expect.closeTo(40.68454, 5)],
    });
    expect(one(received.extendedClassB)).toMatchObject({
      mmsi: "367059850",
      speedKnots: 8.7,
      courseDegrees: 335.9,
      headingDegrees: null,
      position: [expect.closeTo(-88.810394, 4), expect.closeTo(29.543695, 5)],
    });
    expect(one(received.longRange)).toMatchObject({
      mmsi: "206914217",
      speedKnots: 57,
      courseDegrees: 167,
      headingDegrees: null,
      position: [expect.closeTo(137.0233, 3), expect.closeTo(4.84, 3)],
    });
    expect(read(received.staticData)).toEqual({
      reports: [{ kind: "identity", mmsi: "369190000", imo: "6710932" }],
      malformed: 0,
    });
  });

  test("reads every position of every type as it was encoded", () => {
    const position = fc.record({
      mmsi: fc.integer({ min: 200_000_000, max: 799_999_999 }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      speedKnots: fc.integer({ min: 0, max: 62 }),
      courseDegrees: fc.integer({ min: 0, max: 359 }),
      headingDegrees: fc.integer({ min: 0, max: 359 }),
    });
    const expected = ({ mmsi, longitude, latitude, ...rest }: EncodedPosition, digits: number) => ({
      kind: "position",
      mmsi: String(mmsi),
      at: now,
      ...rest,
      position: [expect.closeTo(longitude, digits), expect.closeTo(latitude, digits)],
    });
    fc.assert(
      fc.property(position, fc.constantFrom(1, 2, 3), (each, type) => {
        const { reports } = read([
          ...sentencesOf(classA(each, type)),
          ...sentencesOf(classB(each)),
          ...sentencesOf(classB(each, 19), { parts: 2 }),
          ...sentencesOf(longRange(each)),
        ]);
        const fine = expected(each, 5);
        expect(reports).toEqual([fine, fine, fine, { ...expected(each, 2), headingDegrees: null }]);
      }),
    );
  });

  test("reads values that are not available as null, and no position without coordinates", () => {
    const nothing = { longitude: 181, latitude: 91, speedKnots: 102.3, courseDegrees: 360, headingDegrees: 511 };
    expect(read(sentencesOf(classA({ mmsi: 220_417_000, ...nothing })))).toEqual({ reports: [], malformed: 0 });
    const [report] = read(sentencesOf(classA({ mmsi: 220_417_000, ...nothing, longitude: 1, latitude: 2 }))).reports;
    expect(report).toMatchObject({ position: [1, 2], speedKnots: null, courseDegrees: null, headingDegrees: null });
    expect(read(sentencesOf(staticData(220_417_000, 0), { parts: 2 })).reports).toEqual([]);
  });

  test("puts sentences together that arrive between those of other messages", () => {
    const [one, other] = [staticData(220_417_000, 9_321_483), staticData(353_136_000, 9_811_000)];
    const [a1 = "", a2 = ""] = sentencesOf(one, { sequence: 1, parts: 2 });
    const [b1 = "", b2 = ""] = sentencesOf(other, { sequence: 2, parts: 2 });
    expect(read([a1, b1, received.classA, b2, a2]).reports.map(({ mmsi }) => mmsi)).toEqual([
      "366053209",
      "353136000",
      "220417000",
    ]);
    // The second part alone, and a first part that is repeated.
    expect(read([a2]).malformed).toBe(1);
    expect(read([a1, a1, a2]).reports).toHaveLength(1);
  });

  test("counts damaged sentences and reads the next one", () => {
    const damaged = [
      received.classA.replace("15M6", "15M7"),
      received.classA.replace("*5C", "*5D"),
      received.classA.replace("*5C", ""),
      "!AIVDM,1,1,,A,15,0*59",
      "!AIVDM,1,2,,B,15M67FC000G?ufbE`FepT@3n00Sa,0*5F",
      "\\s:station*00\\!AIVDM,1,1,,B,15M67FC000G?ufbE`FepT@3n00Sa,0*5C",
      "binary \u0000\u0001",
      "x".repeat(100_000),
    ];
    const { reports, malformed } = read([...damaged, "", "$GPGGA,1", "!AIVDO,1,1,,,B,0*00", received.classA]);
    expect(reports).toHaveLength(1);
    expect(malformed).toBe(damaged.length);
  });

  test("takes the time of a tag block, unless it is far from the clock", () => {
    const at = addMs(now, -90_000);
    const tagged = (content: string) => {
      const sum = [...content].reduce((total, character) => total ^ character.charCodeAt(0), 0);
      return `\\${content}*${sum.toString(16).padStart(2, "0")}\\${received.classA}`;
    };
    const timeOf = (line: string) => (read([line]).reports[0] as { at: string }).at;
    expect(timeOf(tagged(`s:base,c:${Date.parse(at) / 1_000}`))).toBe(at);
    expect(timeOf(tagged(`c:${Date.parse(at)},s:base`))).toBe(at);
    expect(timeOf(tagged("c:1000000000"))).toBe(now);
  });

  test("never fails and stays within its memory, whatever it receives", () => {
    const part = fc
      .record({
        count: fc.integer({ min: 1, max: 9 }),
        number: fc.integer({ min: 1, max: 9 }),
        sequence: fc.integer({ min: 0, max: 9 }),
        payload: fc.stringMatching(/^[0-W`-w]{1,60}$/),
      })
      .map(({ count, number, sequence, payload }) => {
        const content = `AIVDM,${count},${number},${sequence},B,${payload},0`;
        const sum = [...content].reduce((total, character) => total ^ character.charCodeAt(0), 0);
        return `!${content}*${sum.toString(16).padStart(2, "0")}`;
      });
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string(), fc.constant(received.classA)), { maxLength: 100 }), (lines) => {
        for (const report of read(lines).reports) {
          expect(report.mmsi).toMatch(/^\d{9,10}$/);
          if (report.kind !== "position") continue;
          const [longitude, latitude] = report.position;
          expect(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90).toBe(true);
        }
      }),
    );
  });
});
