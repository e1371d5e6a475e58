import { createHash } from "node:crypto";

/** Deterministic random values: each depends only on the key and the purpose, not on the order of the calls. */
export interface Chance {
  /** Returns a number of at least `min` and below `max`. */
  between(purpose: string, min: number, max: number): number;
  pick<const C extends readonly [unknown, ...unknown[]]>(purpose: string, choices: C): C[number];
  /** Normally distributed with mean 0 and standard deviation 1. */
  normal(purpose: string): number;
}

/** 48 bits of the hash of the key and the purpose, from 0 to just below 1. */
function unit(key: string, purpose: string): number {
  return createHash("sha256").update(`${key}\n${purpose}`).digest().readUIntBE(0, 6) / 2 ** 48;
}

export function chanceOf(key: string): Chance {
  return {
    between: (purpose, min, max) => min + unit(key, purpose) * (max - min),
    pick: (purpose, choices) => choices[Math.floor(unit(key, purpose) * choices.length)] ?? choices[0],
    normal(purpose) {
      const radius = Math.sqrt(-2 * Math.log(1 - unit(key, `${purpose}/radius`)));
      return radius * Math.cos(2 * Math.PI * unit(key, `${purpose}/angle`));
    },
  };
}

/** A UUID derived from the text: version 8 of RFC 9562, for custom derivations. */
export function stableUuid(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
