import { type MapPoint, mapSize } from "./map-view.ts";
import type { DrawnPort, PortProperties } from "./route-drawing.ts";

/** The name of a port on the map: the point is the start or the end of its base line. */
export interface PortLabel {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "end";
  readonly port: PortProperties;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Sizes in units of the map. */
const gap = 18;
const pointRadius = 11;
/** Distance between the points of a line that a label is tested with. */
const sampleStep = 12;

/** Costs of a place for a label: another one is taken if it costs less. */
const costs = { outside: 1_000, label: 100, point: 20, shift: 1, line: 1 } as const;

const candidates = [0, -1, 1, 2].flatMap((shiftLines) =>
  (["start", "end"] as const).map((anchor) => ({ shiftLines, anchor })),
);

/** Estimated: the letters of the names are 0.635 times as wide as they are high, on average. */
function boxOf({ x, y, anchor, port }: PortLabel, fontSize: number): Box {
  const width = (port.label.length + 1 + port.name.length) * 0.635 * fontSize;
  const left = anchor === "start" ? x : x - width;
  return { left, right: left + width, top: y - fontSize, bottom: y + 0.3 * fontSize };
}

const contains = ({ left, right, top, bottom }: Box, [x, y]: MapPoint, margin = 0): boolean =>
  x > left - margin && x < right + margin && y > top - margin && y < bottom + margin;

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const isOutside = ({ left, right, top, bottom }: Box): boolean =>
  left < 0 || right > mapSize.width || top < 0 || bottom > mapSize.height;

/** Points of a line at equal distances. */
function samplesOf(line: readonly MapPoint[]): readonly MapPoint[] {
  return line.flatMap(([toX, toY], index): MapPoint[] => {
    const [fromX, fromY] = line[index - 1] ?? [toX, toY];
    const count = Math.ceil(Math.hypot(toX - fromX, toY - fromY) / sampleStep);
    return Array.from({ length: count }, (_, step) => {
      const part = (step + 1) / count;
      return [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part];
    });
  });
}

/**
 * Places the name of each port beside it: within the map, off the other ports and names, and off the route. The font
 * size is in units of the map.
 */
export function placePortLabels(
  ports: readonly DrawnPort[],
  lines: readonly (readonly MapPoint[])[],
  fontSize: number,
): readonly PortLabel[] {
  const samples = lines.flatMap(samplesOf);
  const placed: PortLabel[] = [];
  for (const { at, port } of ports.toSorted((one, other) => one.at[1] - other.at[1])) {
    const costOf = (label: PortLabel): number => {
      const box = boxOf(label, fontSize);
      return (
        (isOutside(box) ? costs.outside : 0) +
        costs.label * placed.filter((other) => overlap(box, boxOf(other, fontSize))).length +
        costs.point * ports.filter((other) => other.at !== at && contains(box, other.at, pointRadius)).length +
        costs.line * samples.filter((sample) => contains(box, sample)).length
      );
    };
    const labels = candidates.map(({ shiftLines, anchor }) => {
      const x = at[0] + (anchor === "start" ? gap : -gap);
      const label = { x, y: at[1] + (0.385 + 1.7 * shiftLines) * fontSize, anchor, port };
      return { label, cost: costOf(label) + (shiftLines === 0 ? 0 : costs.shift) };
    });
    const [best] = labels.toSorted((one, other) => one.cost - other.cost);
    if (best) placed.push(best.label);
  }
  return placed;
}
