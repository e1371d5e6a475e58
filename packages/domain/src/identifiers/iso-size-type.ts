export const equipmentTypes = ["dry", "reefer", "open top", "flat rack", "bulk", "tank"] as const;
export type EquipmentType = (typeof equipmentTypes)[number];

/** Equipment of a container with the reference service's values (docs/contract/reference.md 2.2). */
export interface Equipment {
  readonly type: EquipmentType | null;
  /** Feet. */
  readonly length: 10 | 20 | 40 | 45 | null;
  readonly height: "standard" | "high_cube" | null;
}

const lengths: Readonly<Record<string, Equipment["length"]>> = { "1": 10, "2": 20, "4": 40, L: 45 };

/**
 * Second character: 8 ft, 8 ft 6 in, 9 ft 6 in. Letters are the same heights of wider containers. In numeric codes 3 is
 * 8 ft 6 in with a gooseneck tunnel.
 */
const heights: Readonly<Record<string, Equipment["height"]>> = {
  "0": "standard",
  "2": "standard",
  "3": "standard",
  C: "standard",
  "5": "high_cube",
  E: "high_cube",
};

/**
 * Third character of type codes (22G1) and group codes (22GP). V is ventilated, H thermal. Digits are those of the
 * numeric codes (4310) of ISO 6346:1984, which carriers still send.
 */
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
  "0": "dry",
  "1": "dry",
  "2": "bulk",
  "3": "reefer",
  "4": "reefer",
  "5": "open top",
  "6": "flat rack",
  "7": "tank",
  "8": "bulk",
};

/** Decodes an ISO 6346 size-type code such as `45G1`. Unknown parts are null. */
export function decodeSizeType(code: string): Equipment {
  const text = code.trim().toUpperCase();
  return {
    type: types[text.charAt(2)] ?? null,
    length: lengths[text.charAt(0)] ?? null,
    height: heights[text.charAt(1)] ?? null,
  };
}
