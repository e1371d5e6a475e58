import type { TimeZoneOf } from "@svc/domain";
import { findPartnerProfile, type PartnerProfile } from "../profiles.ts";
import { type EdiReading, readEdi } from "../read-edi.ts";

const zones: Readonly<Record<string, string>> = {
  CNSHA: "Asia/Shanghai",
  DEHAM: "Europe/Berlin",
  USLGB: "America/Los_Angeles",
  SGSIN: "Asia/Singapore",
};
const timeZoneOf: TimeZoneOf = (locode) => zones[locode] ?? null;

function profile(name = "standard"): PartnerProfile {
  const found = findPartnerProfile(name);
  if (found === null) throw new Error(`There is no profile ${name}.`);
  return found;
}

export function read(text: string | Uint8Array, name = "standard"): Promise<EdiReading> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return readEdi(bytes, { profile: profile(name), timeZoneOf });
}

/** An X12 interchange of messages, each without ST and SE. */
export function x12(kind: string, ...messages: readonly (readonly string[])[]): string {
  const group = { "322": "SO", "301": "RO" }[kind] ?? "QO";
  const sets = messages.flatMap((segments, index) => {
    const reference = String(index + 1).padStart(4, "0");
    return [`ST*${kind}*${reference}`, ...segments, `SE*${segments.length + 2}*${reference}`];
  });
  return [
    "ISA*00*          *00*          *ZZ*MAEU           *ZZ*IMPORTER       *260305*1130*U*00401*000000017*0*P*>",
    `GS*${group}*MAEU*IMPORTER*20260305*1130*17*X*004010`,
    ...sets,
    `GE*${messages.length}*17`,
    "IEA*1*000000017",
  ]
    .map((segment) => `${segment}~\n`)
    .join("");
}

/** An EDIFACT interchange of messages, each without UNH and UNT. */
export function edifact(kind: string, ...messages: readonly (readonly string[])[]): string {
  const sets = messages.flatMap((segments, index) => [
    `UNH+${index + 1}+${kind}:D:99B:UN`,
    ...segments,
    `UNT+${segments.length + 2}+${index + 1}`,
  ]);
  return ["UNB+UNOC:3+CARRIER:ZZZ+IMPORTER:ZZZ+260305:1130+6771", ...sets, `UNZ+${messages.length}+6771`]
    .map((segment) => `${segment}'\n`)
    .join("");
}

/** 315: loaded on vessel at Shanghai, with the estimates of the route. */
export const loadedInShanghai = [
  "B4***AE*20260305*1745*CNSHA*MSKU*000000*L*45G1*CNSHA*UN*6",
  "N9*BM*MAEU123456789",
  "N9*BN*987654321",
  "N9*SCA*MAEU",
  "N9*SN*SEAL1",
  "Q2*9321483********230W***L*EMMA MAERSK",
  "R4*L*UN*CNSHA*SHANGHAI*CN",
  "DTM*139*20260306*0200*LT",
  "R4*D*UN*DEHAM*HAMBURG*DE",
  "DTM*139*20260402*0600*LT",
];

/** IFTSTA: vessel departure in the letters of the 315, as INTTRA's guide has it. */
export const departedShanghai = [
  "BGM+23+315+9",
  "DTM+137:202603060300:203",
  "NAD+CA+MAEU:160:87",
  "RFF+BN:987654321",
  "RFF+BM:MAEU123456789",
  "CNI+1",
  "STS+1+VD::22",
  "DTM+334:202603060215:203",
  "LOC+175+CNSHA:139:6:SHANGHAI",
  "TDT+20+230W+1++:172+++9321483:146:11:EMMA MAERSK",
  "LOC+9+CNSHA:139:6",
  "DTM+133:202603060200:203",
  "LOC+11+DEHAM:139:6",
  "DTM+132:202604020600:203",
  "EQD+CN+MSKU0000006+45G1:102:5+++5",
];
