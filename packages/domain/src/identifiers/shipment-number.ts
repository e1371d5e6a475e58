/** How a shipping line writes the numbers of its bills of lading. */
export interface NumberingOfLine {
  readonly scac: string;
  readonly alternativeScacs: readonly string[];
  /** Whether the line wants to be asked with or without its own SCAC in front. */
  readonly queryForm: "strip_prefix" | "keep_prefix";
  /** Regular expressions over the compact form: capitals and digits only. Empty: the line's shapes are not known. */
  readonly billOfLadingPatterns: readonly string[];
}

/** Words that people copy along, told from a number's own letters by the separator that follows them. */
const label = /^(?:M?B\/?L|BKG|BOOKING)(?:[\s.]*(?:NO|NUMBER|#))?[\s.:#-]+/;
const separators = /[\s\-./,_#:]/g;

/** Capitals and digits without separators and labels: `B/L no. maeu-123 456 789` is `MAEU123456789`. */
export function compactNumber(text: string): string {
  return text.normalize("NFKC").trim().toUpperCase().replace(label, "").replace(separators, "");
}

/**
 * The form in which the line is asked for a shipment (docs/contract/specification.md
 * shipment.attribute.normalized_number).
 */
export function normalizeShipmentNumber(text: string, line: NumberingOfLine): string {
  const compact = compactNumber(text);
  if (line.queryForm === "keep_prefix") return compact;
  return compact.slice(prefixOf(compact, line)?.length ?? 0);
}

/**
 * The SCAC, or an alternative one, in front of a compact number of the line's. Null when the number only begins with
 * the same letters: HMM's own numbers begin with any four, so of HDMU1234567 nothing may be taken off.
 */
export function prefixOf(compact: string, line: NumberingOfLine): string | null {
  const scacs = [line.scac, ...line.alternativeScacs];
  const prefix = scacs.find((code) => compact.startsWith(code) && compact.length > code.length);
  if (prefix === undefined) return null;
  const rest = compact.slice(prefix.length);
  const isRequired = isOfLine(compact, line) && !isOfLine(anyLetter.repeat(prefix.length) + rest, line);
  return isRequired || isOfLine(rest, line) ? prefix : null;
}

/** Whether a compact number has a shape of the line's. */
export function isOfLine(compact: string, { billOfLadingPatterns }: NumberingOfLine): boolean {
  return billOfLadingPatterns.some((pattern) => expressionOf(pattern).test(compact));
}

/** Whether the shape asks for certain letters in the number, and not just for letters. */
export function hasDistinctiveShape(compact: string, line: NumberingOfLine): boolean {
  return isOfLine(compact, line) && !isOfLine(compact.replace(/[A-Z]/g, anyLetter), line);
}

/** A letter that no line's shape names. */
const anyLetter = "Q";

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern);
  expressions.set(pattern, expression);
  return expression;
}
