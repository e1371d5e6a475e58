const lengthMaxDefault = 250;

/**
 * Text of a source: trimmed, cut off, and without control characters and lone surrogates, which PostgreSQL rejects.
 * Null when it is empty.
 */
export function observedText(text: string, lengthMax = lengthMaxDefault): string | null {
  const clean = text
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, lengthMax)
    .toWellFormed();
  return clean === "" ? null : clean;
}
