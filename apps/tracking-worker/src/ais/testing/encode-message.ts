/** Fields of a message as value and number of bits, in order. */
export type Fields = readonly (readonly [value: number, bits: number])[];

/** The armoured payload of a message and its fill bits. */
function encodeMessage(fields: Fields): { readonly payload: string; readonly fillBits: number } {
  const bits = fields.flatMap(([value, size]) => {
    const positive = value < 0 ? value + 2 ** size : value;
    return Array.from({ length: size }, (_, index) => Math.floor(positive / 2 ** (size - 1 - index)) % 2);
  });
  const fillBits = (6 - (bits.length % 6)) % 6;
  const padded = [...bits, ...Array.from({ length: fillBits }, () => 0)];
  const sixes = Array.from({ length: padded.length / 6 }, (_, index) =>
    padded.slice(index * 6, index * 6 + 6).reduce((value, bit) => value * 2 + bit, 0),
  );
  return { payload: sixes.map((six) => String.fromCharCode(six < 40 ? six + 48 : six + 56)).join(""), fillBits };
}

/** The sentence or sentences of a message, with checksums. */
export function sentencesOf(fields: Fields, { sequence = 1, parts = 1 } = {}): readonly string[] {
  const { payload, fillBits } = encodeMessage(fields);
  const size = Math.ceil(payload.length / parts);
  return Array.from({ length: parts }, (_, index) => {
    const isLast = index === parts - 1;
    const part = payload.slice(index * size, (index + 1) * size);
    const content = `AIVDM,${parts},${index + 1},${parts > 1 ? sequence : ""},A,${part},${isLast ? fillBits : 0}`;
    return `!${content}*${checksum(content)}`;
  });
}

function checksum(content: string): string {
  const sum = [...content].reduce((total, character) => total ^ character.charCodeAt(0), 0);
  return sum.toString(16).toUpperCase().padStart(2, "0");
}

export interface EncodedPosition {
  readonly mmsi: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly speedKnots: number;
  readonly courseDegrees: number;
  readonly headingDegrees: number;
}

/** A position report of class A. */
export const classA = (one: EncodedPosition, type = 1): Fields => [
  ...([
    [type, 6],
    [0, 2],
    [one.mmsi, 30],
    [0, 4],
    [0, 8],
    [Math.round(one.speedKnots * 10), 10],
    [0, 1],
  ] as const),
  ...([
    [Math.round(one.longitude * 600_000), 28],
    [Math.round(one.latitude * 600_000), 27],
  ] as const),
  ...([
    [Math.round(one.courseDegrees * 10), 12],
    [one.headingDegrees, 9],
    [0, 6],
    [0, 25],
  ] as const),
];

/** A position report of class B (18), or the extended one (19). */
export const classB = (one: EncodedPosition, type: 18 | 19 = 18): Fields => [
  ...([
    [type, 6],
    [0, 2],
    [one.mmsi, 30],
    [0, 8],
    [Math.round(one.speedKnots * 10), 10],
    [0, 1],
  ] as const),
  ...([
    [Math.round(one.longitude * 600_000), 28],
    [Math.round(one.latitude * 600_000), 27],
  ] as const),
  ...([
    [Math.round(one.courseDegrees * 10), 12],
    [one.headingDegrees, 9],
    [0, 6],
    [0, type === 18 ? 29 : 173],
  ] as const),
];

/** A long-range position report. */
export const longRange = (one: EncodedPosition): Fields => [
  ...([
    [27, 6],
    [0, 2],
    [one.mmsi, 30],
    [0, 6],
    [Math.round(one.longitude * 600), 18],
  ] as const),
  ...([
    [Math.round(one.latitude * 600), 17],
    [one.speedKnots, 6],
    [one.courseDegrees, 9],
    [0, 2],
  ] as const),
];

/** Static data of class A. */
export const staticData = (mmsi: number, imo: number): Fields => [
  ...([
    [5, 6],
    [0, 2],
    [mmsi, 30],
    [0, 2],
    [imo, 30],
    [0, 30],
    [0, 30],
    [0, 30],
    [0, 30],
    [0, 30],
  ] as const),
  ...([
    [0, 30],
    [0, 30],
    [0, 30],
    [0, 30],
    [0, 30],
    [0, 30],
    [0, 24],
  ] as const),
];
