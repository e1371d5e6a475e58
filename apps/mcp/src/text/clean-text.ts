/** Maximum length of texts of carriers and users, so that a row stays a row. */
const textLengthMax = 120;

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/**
 * Characters that can hide text from a reader: controls, formatting and directional marks, zero-width and joining
 * characters, variation selectors, the tag block, lone surrogates and private use.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

/** Text with nothing to remove: nearly every id, time and number. */
const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Everything visible of a text, on one line. */
export function visibleLine(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(breaks, " ").replace(invisible, "").trim();
}

/** Cuts a text to a maximum number of characters, an ellipsis included; no character is cut in half. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Signs without which a text matches none of the patterns below. */
const mayBeActive = /[<>`[\]]|:\/\/|www\.|(?:javascript|data|mailto|file|vbscript)\s*:/i;

/**
 * Defuses links, images and markup: a client that renders a model's response must not load an address that a carrier or
 * user put into a reference number. The text stays readable.
 */
function defanged(text: string): string {
  if (!mayBeActive.test(text)) return text;
  return (
    text
      .replace(/\b(?:javascript|data|mailto|file|vbscript)\s*:/gi, (scheme) => `${scheme.replace(/\s*:$/, "")}[:]`)
      .replace(/\b([a-z][a-z0-9+.-]*):\/\//gi, "$1[:]//")
      .replace(/\bwww\./gi, "www[.]")
      .replace(/!?\[([^\]]*)\]\(/g, "$1 (")
      // Remains of an image within a link.
      .replace(/\]\(/g, "] (")
      .replace(/[<>]/g, (sign) => (sign === "<" ? "‹" : "›"))
      .replaceAll("`", "'")
  );
}

const namedMax = 10;

/** Values of a carrier or user within a sentence of ours, as a list. */
export function quotedValues(texts: readonly string[]): string {
  const more = texts.length > namedMax ? ` and ${texts.length - namedMax} more` : "";
  return `${texts.slice(0, namedMax).map(quotedValue).join(", ")}${more}`;
}

/** JSON of an argument as it was given, within a sentence of ours; models pass on what they read in results. */
export const quotedArgument = (value: unknown): string =>
  cutText(defanged(visibleLine(JSON.stringify(value) ?? "nothing")), 40);

/** Free text of a carrier or user as it may enter a result. */
export function cleanText(text: string, lengthMax = textLengthMax): string {
  return cutText(defanged(visibleLine(text)), lengthMax);
}

/** A value of a carrier or user within a sentence of ours: quoted, unless it is a plain number or code. */
export function quotedValue(text: string): string {
  const clean = cutText(defanged(visibleLine(text)), 64);
  return /^[A-Z0-9][A-Z0-9-]{0,39}$/i.test(clean) ? clean : JSON.stringify(clean);
}
