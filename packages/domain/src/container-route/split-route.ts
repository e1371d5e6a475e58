import { greatCircleNm, type Position, positionBetween } from "../sea-routes/great-circle.ts";

/** The position at a share (0 to 1) of a line's length, and the line from there to its end. */
export function splitRoute(
  points: readonly Position[],
  share: number,
): { readonly position: Position; readonly ahead: readonly Position[] } {
  const [first, ...rest] = points;
  if (first === undefined) throw new RangeError("A line has at least one position.");
  const lengths = rest.map((to, index) => greatCircleNm(points[index] ?? to, to));
  let left = share * lengths.reduce((total, length) => total + length, 0);
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [points[index] ?? first, rest[index] ?? first];
    if (left < length) {
      const position = positionBetween(from, to, left / length);
      return { position, ahead: [position, ...points.slice(index + 1)] };
    }
    left -= length;
  }
  const last = points.at(-1) ?? first;
  return { position: last, ahead: [last] };
}
