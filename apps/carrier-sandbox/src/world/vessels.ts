/** A vessel of the carrier. Names are fictional; the IMO numbers are valid but from a range that was never issued. */
export interface Vessel {
  readonly imo: string;
  readonly name: string;
}

/** Appends the IMO check digit: the last digit of the sum of the first six digits weighted 7 to 2. */
export function imoNumber(firstSix: string): string {
  const sum = [...firstSix].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return `${firstSix}${sum % 10}`;
}

const names = [
  "SBX AURORA",
  "SBX BOREALIS",
  "SBX CELESTE",
  "SBX DORADO",
  "SBX EQUINOX",
  "SBX FIORD",
  "SBX GRANITE",
  "SBX HALCYON",
  "SBX INDIGO",
  "SBX JUNIPER",
  "SBX KESTREL",
  "SBX LAGOON",
  "SBX MERIDIAN",
  "SBX NORTHSTAR",
  "SBX ORCHID",
  "SBX PELICAN",
] as const;

export const fleet: readonly Vessel[] = names.map((name, index) => ({ imo: imoNumber(String(200_001 + index)), name }));
