/** What a container is, in the reference service's words (docs/contract/reference.md 2.2). */
export interface Equipment {
  readonly type: "dry" | "reefer" | "open top" | "flat rack" | "bulk" | "tank" | null;
  /** Feet. */
  readonly length: 10 | 20 | 40 | 45 | null;
  readonly height: "standard" | "high_cube" | null;
}

const lengths: Readonly<Record<string, Equipment["length"]>> = { "1": 10, "2": 20, "4": 40, L: 45 };

/** Second character: 8 ft, 8 ft 6 in, 9 ft 6 in; letters are the same heights on wider boxes. */
const heights: Readonly<Record<string, Equipment["height"]>> = {
  "0": "standard",
  "2": "standard",
  C: "standard",
  "5": "high_cube",
  E: "high_cube",
};

/** Third character, of type codes (22G1) and group codes (22GP) alike. V is a ventilated box, H a thermal one. */
const types: Readonly<Record<string, Equipment["type"]>> = {
  G: "dry",
  V: "dry",
  R: "reefer",
  H: "reefer",
  U: "open top",
  P: "flat rack",
  B: "bulk",
  T: "tank",
  K: "tank",
};

/** Decodes an ISO 6346 size-type code such as `45G1`. Parts that it does not know are null. */
export function decodeSizeType(code: string): Equipment {
  const text = code.trim().toUpperCase();
  return {
    type: types[text.charAt(2)] ?? null,
    length: lengths[text.charAt(0)] ?? null,
    height: heights[text.charAt(1)] ?? null,
  };
}
