import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { LineGeometry, lineGeometry } from "./geometry.ts";

describe("a line", () => {
  test("has longitude before latitude, to four digits", () => {
    expect(
      lineGeometry([
        [4.123456, 51.9],
        [5, 52],
      ]),
    ).toEqual({
      type: "LineString",
      coordinates: [
        [4.1235, 51.9],
        [5, 52],
      ],
    });
  });

  test("is cut at the antimeridian (RFC 7946, 3.1.9)", () => {
    expect(
      lineGeometry([
        [170, 40],
        [178, 44],
        [-178, 46],
        [-170, 50],
      ]),
    ).toEqual({
      type: "MultiLineString",
      coordinates: [
        [
          [170, 40],
          [178, 44],
          [180, 45],
        ],
        [
          [-180, 45],
          [-178, 46],
          [-170, 50],
        ],
      ],
    });
  });

  test("never jumps across the map and keeps every position", () => {
    const position = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -80, max: 80 }));
    fc.assert(
      fc.property(fc.array(position, { minLength: 2, maxLength: 10 }), (points) => {
        const geometry = LineGeometry.parse(lineGeometry(points));
        const parts = geometry.type === "LineString" ? [geometry.coordinates] : geometry.coordinates;
        for (const part of parts) {
          expect(part.length).toBeGreaterThanOrEqual(2);
          for (const [index, [x]] of part.entries())
            expect(Math.abs(x - (part[index - 1]?.[0] ?? x))).toBeLessThanOrEqual(180);
        }
        expect(parts.flat()).toHaveLength(points.length + 2 * (parts.length - 1));
      }),
    );
  });
});
