import type { Position } from "@svc/domain/sea-routes";
import { z } from "zod";

const Coordinates = z.tuple([z.number(), z.number()]).describe("Longitude and latitude in degrees, WGS 84.");

/** Geometries of RFC 7946. */
export const PointGeometry = z.object({ type: z.literal("Point"), coordinates: Coordinates });
export const LineGeometry = z.union([
  z.object({ type: z.literal("LineString"), coordinates: z.array(Coordinates) }),
  z
    .object({ type: z.literal("MultiLineString"), coordinates: z.array(z.array(Coordinates)) })
    .describe("Line that crosses the antimeridian, cut there."),
]);

type LineGeometry = z.infer<typeof LineGeometry>;
type Coordinates = z.infer<typeof Coordinates>;

/** About eleven metres, more precise than a drawn route. */
const digits = 4;

export function pointGeometry(position: Position): z.infer<typeof PointGeometry> {
  return { type: "Point", coordinates: rounded(position) };
}

/** A line of two positions or more, cut in parts where it crosses the antimeridian (RFC 7946, 3.1.9). */
export function lineGeometry(points: readonly Position[]): LineGeometry {
  const [only = [], ...others] = cutAtAntimeridian(points);
  if (others.length === 0) return { type: "LineString", coordinates: only };
  return { type: "MultiLineString", coordinates: [only, ...others] };
}

function cutAtAntimeridian(points: readonly Position[]): Coordinates[][] {
  const parts: Coordinates[][] = [[]];
  for (const [index, position] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && Math.abs(position[0] - before[0]) > 180) {
      const side = before[0] > 0 ? 180 : -180;
      const latitude = latitudeAtAntimeridian(before, position);
      parts.at(-1)?.push(rounded([side, latitude]));
      parts.push([rounded([-side, latitude])]);
    }
    parts.at(-1)?.push(rounded(position));
  }
  return parts;
}

/** Linear interpolation, which is precise enough between adjacent positions of a line. */
function latitudeAtAntimeridian([x1, y1]: Position, [x2, y2]: Position): number {
  const [before, after] = [180 - Math.abs(x1), 180 - Math.abs(x2)];
  return before + after === 0 ? y1 : y1 + ((y2 - y1) * before) / (before + after);
}

function rounded([longitude, latitude]: Position): Coordinates {
  return [Number(longitude.toFixed(digits)), Number(latitude.toFixed(digits))];
}
