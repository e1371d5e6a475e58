/** The bill of lading numbers of a shipping line. */
export interface CarrierNumbering {
  readonly scac: string;
  readonly alternativeScacs: readonly string[];
  /** Whether the carrier's API expects its SCAC in front. */
  readonly queryForm: "strip_prefix" | "keep_prefix";
  /** Regular expressions over the compact form: capitals and digits only. Empty: the carrier's shapes are not known. */
  readonly billOfLadingPatterns: readonly string[];
}

/** Labels that users copy with a number. The separator after them distinguishes them from letters of the number. */
const label = /^(?:M?B\/?L|BKG|BOOKING)(?:[\s.]*(?:NO|NUMBER|#))?[\s.:#-]+/;
const separators = /[\s\-./,_#:]/g;

const withoutLabel = (text: string): string => text.normalize("NFKC").trim().toUpperCase().replace(label, "");

/** Capitals and digits without separators and labels: `B/L no. maeu-123 456 789` is `MAEU123456789`. */
export const compactNumber = (text: string): string => withoutLabel(text).replace(separators, "");

/** The number of a shipment as it is shown: `B/L no. maeu-123 456 789` is `MAEU-123456789`. */
export const displayNumber = (text: string): string => withoutLabel(text).replace(/\s/g, "");

/**
 * The form in which the carrier is polled (docs/contract/specification.md shipment.attribute.normalized_number).
 */
export function normalizeShipmentNumber(text: string, carrier: CarrierNumbering): string {
  const compact = compactNumber(text);
  if (carrier.queryForm === "keep_prefix") return compact;
  return compact.slice(prefixOf(compact, carrier)?.length ?? 0);
}

/**
 * The SCAC, or an alternative one, at the start of a compact number. Null when the letters belong to the number: HMM's
 * numbers start with any four letters, so HDMU1234567 must stay whole.
 */
export function prefixOf(compact: string, carrier: CarrierNumbering): string | null {
  const scacs = [carrier.scac, ...carrier.alternativeScacs];
  const prefix = scacs.find((code) => compact.startsWith(code) && compact.length > code.length);
  if (prefix === undefined) return null;
  const rest = compact.slice(prefix.length);
  const isRequired = matchesShape(compact, carrier) && !matchesShape(anyLetter.repeat(prefix.length) + rest, carrier);
  return isRequired || matchesShape(rest, carrier) ? prefix : null;
}

/** Whether a compact number matches a shape of the carrier. */
export function matchesShape(compact: string, { billOfLadingPatterns }: CarrierNumbering): boolean {
  return billOfLadingPatterns.some((pattern) => compilePattern(pattern).test(compact));
}

/** Whether the shape requires certain letters, not just any letters. */
export function hasDistinctiveShape(compact: string, carrier: CarrierNumbering): boolean {
  return matchesShape(compact, carrier) && !matchesShape(compact.replace(/[A-Z]/g, anyLetter), carrier);
}

/** A letter that no shape requires. */
const anyLetter = "Q";

const expressions = new Map<string, RegExp>();

function compilePattern(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern);
  expressions.set(pattern, expression);
  return expression;
}

/** Every form in which a number may be tracked: compact, and with or without the carrier's SCAC in front. */
export function numberForms(text: string, scac: string): readonly string[] {
  const compact = compactNumber(text);
  const bare = compact.startsWith(scac) ? compact.slice(scac.length) : compact;
  return [...new Set([compact, bare, `${scac}${bare}`])];
}
