import { isValidContainerNumber, looksLikeContainerNumber } from "./container-number.ts";
import {
  type CarrierNumbering,
  compactNumber,
  hasDistinctiveShape,
  matchesShape,
  prefixOf,
} from "./shipment-number.ts";

/** The attributes of a shipping line that number inference uses. */
export interface InferableCarrier extends CarrierNumbering {
  readonly name: string;
  /** Owner codes of the carrier's containers. About half of all containers are leased and have the lessor's code. */
  readonly containerPrefixes: readonly string[];
}

export interface CarrierCandidate {
  readonly scac: string;
  readonly name: string;
  /** Probability from 0 to 1. */
  readonly confidence: number;
}

/** docs/contract/reference.md 1.1.2. */
export interface InferredNumber {
  readonly numberType: "container" | "bill_of_lading";
  readonly validation: {
    /** Null: the number has no check digit and no known shape. */
    readonly isValid: boolean | null;
    readonly type: "container" | "shipment";
    readonly checkDigitPassed: boolean | null;
    readonly parsedNumber: string;
    readonly reason: string | null;
  };
  readonly decision: "auto_select" | "needs_confirmation" | "no_prediction";
  /** The best candidate, if it is good enough to propose. */
  readonly selected: CarrierCandidate | null;
  /** Best first, then by SCAC. */
  readonly candidates: readonly CarrierCandidate[];
}

const autoSelectConfidence = 0.95;
const needsConfirmationConfidence = 0.7;

const ownPrefixConfidence = 0.98;
const alternativePrefixConfidence = 0.96;
/** Confidence in a shape of one carrier only, or one with fixed letters. Carriers with a common shape share it. */
const bareShapeConfidence = 0.85;
const containerPrefixConfidence = 0.85;
/** The number starts with the SCAC, but the rest matches no known shape of the carrier. */
const unknownShapeConfidence = 0.75;
/** The number starts with an alternative SCAC: groups print those of their brands, whose shapes are seldom known. */
const alternativeUnknownShapeConfidence = 0.7;

/**
 * Infers the type and the shipping line of a number from its form. Numbers of several carriers look the same, so the
 * result is a ranked list with a decision.
 */
export function inferNumber(text: string, carriers: readonly InferableCarrier[]): InferredNumber {
  const parsed = compactNumber(text);
  const isContainer = looksLikeContainerNumber(parsed);
  const candidates = (
    isContainer ? containerCandidates(parsed, carriers) : shipmentCandidates(parsed, carriers)
  ).toSorted((a, b) => b.confidence - a.confidence || (a.scac < b.scac ? -1 : 1));
  const best = candidates[0];
  const decision = decide(best?.confidence ?? 0);
  return {
    numberType: isContainer ? "container" : "bill_of_lading",
    validation: isContainer ? validateContainer(parsed) : validateShipment(parsed, candidates),
    decision,
    selected: decision === "no_prediction" ? null : (best ?? null),
    candidates,
  };
}

function decide(confidence: number): InferredNumber["decision"] {
  if (confidence >= autoSelectConfidence) return "auto_select";
  return confidence >= needsConfirmationConfidence ? "needs_confirmation" : "no_prediction";
}

/** A wrong digit may be in the owner code too, so it predicts nothing. */
function containerCandidates(parsed: string, carriers: readonly InferableCarrier[]): readonly CarrierCandidate[] {
  if (!isValidContainerNumber(parsed)) return [];
  const owners = carriers.filter(({ containerPrefixes }) => containerPrefixes.includes(parsed.slice(0, 4)));
  return owners.map((carrier) => candidate(carrier, containerPrefixConfidence / owners.length));
}

function shipmentCandidates(parsed: string, carriers: readonly InferableCarrier[]): readonly CarrierCandidate[] {
  const named = carriers.flatMap((carrier) => namedCandidate(parsed, carrier) ?? []);
  const others = carriers.filter(({ scac }) => !named.some((one) => one.scac === scac));
  const bare = others.filter((carrier) => matchesShape(parsed, carrier));
  const distinctive = bare.filter((carrier) => hasDistinctiveShape(parsed, carrier));
  const bareCandidates = bare.map((carrier) => {
    const sharing = distinctive.includes(carrier) ? distinctive.length : bare.length + named.length;
    return candidate(carrier, bareShapeConfidence / sharing);
  });
  return [...named, ...bareCandidates];
}

/** The carrier whose SCAC the number starts with. */
function namedCandidate(parsed: string, carrier: InferableCarrier): CarrierCandidate | null {
  const prefix = prefixOf(parsed, carrier);
  if (prefix !== null) {
    return candidate(carrier, prefix === carrier.scac ? ownPrefixConfidence : alternativePrefixConfidence);
  }
  if (matchesShape(parsed, carrier)) return null;
  const isBehind = (scac: string) => parsed.startsWith(scac) && parsed.length > scac.length;
  if (isBehind(carrier.scac)) return candidate(carrier, unknownShapeConfidence);
  return carrier.alternativeScacs.some(isBehind) ? candidate(carrier, alternativeUnknownShapeConfidence) : null;
}

function candidate({ scac, name }: InferableCarrier, confidence: number): CarrierCandidate {
  return { scac, name, confidence: Math.round(confidence * 1000) / 1000 };
}

function validateContainer(parsed: string): InferredNumber["validation"] {
  const isValid = isValidContainerNumber(parsed);
  const reason = isValid
    ? null
    : "The check digit does not match. Containers with a wrong check digit exist, but check the number.";
  return { isValid, type: "container", checkDigitPassed: isValid, parsedNumber: parsed, reason };
}

const shipmentNumberShape = /^[A-Z0-9]{4,35}$/;

function validateShipment(parsedNumber: string, candidates: readonly CarrierCandidate[]): InferredNumber["validation"] {
  const validation = { type: "shipment", checkDigitPassed: null, parsedNumber } as const;
  if (!shipmentNumberShape.test(parsedNumber)) {
    return { ...validation, isValid: false, reason: "A shipment number has 4 to 35 letters and digits." };
  }
  if (candidates.length > 0) return { ...validation, isValid: true, reason: null };
  const reason = "No shipping line that we know writes its numbers like this. House bills are not supported.";
  return { ...validation, isValid: null, reason };
}
