import { type ObservedPlace, observedText, type TransportMode } from "@svc/domain/observations";
import { edifactTime } from "./edi-time.ts";
import type { StatedFact } from "./message-facts.ts";
import { scacOf, toPlace, toVessel, unknownPlace } from "./message-facts.ts";
import { type Segment, value } from "./segments.ts";

/** UN/EDIFACT 8067, mode of transport. */
const modes: Readonly<Record<string, TransportMode>> = { "1": "VESSEL", "2": "RAIL", "3": "TRUCK", "8": "BARGE" };
/** The agency of SMDG's terminal codes (UN/EDIFACT 3055). */
const smdgAgency = "306";

/** TDT: the means of transport of a stage. */
export function transportOf(tdt: Segment): Pick<StatedFact, "mode" | "vessel" | "voyage"> {
  const stage = value(tdt, 1);
  // Stage 20 is the main carriage, by sea in these messages unless a mode is given.
  const mode = modes[value(tdt, 3)] ?? (stage === "20" && value(tdt, 3) === "" ? "VESSEL" : null);
  const isCallSign = value(tdt, 8, 2) === "103";
  return {
    mode,
    vessel: toVessel(isCallSign ? "" : value(tdt, 8, 1), value(tdt, 8, 4)),
    voyage: observedText(value(tdt, 2)),
  };
}

/** LOC: a UN/LOCODE with its name, and the terminal in the next element where SMDG's code is given. */
export function locationOf(loc: Segment): ObservedPlace {
  const place = toPlace(value(loc, 2, 1), value(loc, 2, 4));
  const facilityCode = value(loc, 3, 3) === smdgAgency ? observedText(value(loc, 3, 1)) : null;
  return facilityCode === null ? place : { ...place, facilityCode, facilityCodeProvider: "SMDG" };
}

export function firstLocation(segments: readonly Segment[], ...qualifiers: readonly string[]): ObservedPlace {
  for (const qualifier of qualifiers) {
    const loc = segments.find((segment) => segment.tag === "LOC" && value(segment, 1) === qualifier);
    if (loc !== undefined) return locationOf(loc);
  }
  return unknownPlace;
}

export interface StatedDtm {
  readonly segment: Segment;
  readonly qualifier: string;
  /** Null: not in its format, or in a format that is not read. */
  readonly time: string | null;
}

export function timeOf(segment: Segment): StatedDtm {
  const [text, format] = [value(segment, 1, 2), value(segment, 1, 3)];
  return { segment, qualifier: value(segment, 1), time: edifactTime(text, format) };
}

export function firstTime(segments: readonly Segment[], ...qualifiers: readonly string[]): StatedDtm | null {
  const times = segments.flatMap((segment) => (segment.tag === "DTM" ? [timeOf(segment)] : []));
  for (const requestedQualifier of qualifiers) {
    const found = times.find(({ qualifier }) => qualifier === requestedQualifier);
    if (found !== undefined) return found;
  }
  return null;
}

/** The carrier by NAD: the container operator (CF) or the carrier (CA), if it is named by its SCAC. */
export function carrierOf(segments: readonly Segment[]): string | null {
  for (const party of ["CF", "CA"]) {
    const nad = segments.find((segment) => segment.tag === "NAD" && value(segment, 1) === party);
    const scac = nad === undefined ? null : scacOf(value(nad, 2));
    if (scac !== null) return scac;
  }
  return null;
}

/** EQD-06: 4 empty, 5 full. */
export function readEmptyIndicator(eqd: Segment): boolean | null {
  const code = value(eqd, 6);
  if (code === "4") return true;
  return code === "5" ? false : null;
}

export function sealsOf(segments: readonly Segment[]): string[] {
  return segments.flatMap((segment) => {
    const seal = segment.tag === "SEL" ? observedText(value(segment, 1)) : null;
    return seal === null ? [] : [seal];
  });
}

/** Splits before each of the tags; the first part is what stands in front of the first of them. */
export function splitBefore(segments: readonly Segment[], tags: ReadonlySet<string>): Segment[][] {
  const parts: Segment[][] = [[]];
  for (const segment of segments) {
    if (tags.has(segment.tag)) parts.push([segment]);
    else parts.at(-1)?.push(segment);
  }
  return parts;
}
