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
  "AURORA",
  "BOREALIS",
  "CELESTE",
  "DORADO",
  "EQUINOX",
  "FIORD",
  "GRANITE",
  "HALCYON",
  "INDIGO",
  "JUNIPER",
  "KESTREL",
  "LAGOON",
  "MERIDIAN",
  "NORTHSTAR",
  "ORCHID",
  "PELICAN",
  "QUARTZ",
  "REGATTA",
  "SOLSTICE",
  "TRIDENT",
  "UMBRIA",
  "VOYAGER",
  "WESTWIND",
  "XENIA",
  "YARROW",
  "ZEPHYR",
  "ALBATROSS",
  "CORAL",
  "DELPHI",
  "EMERALD",
  "FALCON",
  "HORIZON",
] as const;

/** The second word of the vessels of each service. */
const surnames = {
  SBP1: "STAR",
  SBP2: "BAY",
  SBP3: "CAPE",
  SBP4: "SOUND",
  SBE2: "CREST",
  SBS1: "RIVER",
  SBA1: "ISLE",
  SBA2: "REEF",
  SBA3: "STRAIT",
  SBG1: "GULF",
  SBM1: "COAST",
  SBI1: "TIDE",
  SBI2: "SHORE",
} as const;

export type Service = keyof typeof surnames;

function vesselsOf(surname: string, firstNumber: number): readonly Vessel[] {
  return names.map((name, index) => ({
    imo: imoNumber(String(firstNumber + index)),
    name: `SBX ${name} ${surname}`,
  }));
}

/** The vessels of each service. A vessel sails for one service, so that it is never in two oceans at once. */
export const fleet: Readonly<Record<Service, readonly Vessel[]>> = Object.fromEntries(
  Object.entries(surnames).map(([service, surname], index) => [
    service,
    vesselsOf(surname, 200_001 + index * names.length),
  ]),
) as Record<Service, readonly Vessel[]>;
