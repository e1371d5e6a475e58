import type { Position } from "@svc/domain/sea-routes";
import coasts from "../../data/land.json" with { type: "json" };

/** A closed coastline of land, or of a sea within land; longitudes may continue beyond 180 degrees. */
export interface Coast {
  readonly points: readonly Position[];
  readonly west: number;
  readonly east: number;
}

export const coastlines: readonly Coast[] = coasts.map(decode);

/** The format of the file: data/README.md. */
function decode(steps: readonly number[]): Coast {
  const points: Position[] = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < steps.length; index += 2) {
    x += steps[index] ?? 0;
    y += steps[index + 1] ?? 0;
    points.push([x / 100, y / 100]);
  }
  const longitudes = points.map(([longitude]) => longitude);
  return { points, west: Math.min(...longitudes), east: Math.max(...longitudes) };
}
