/** Longer texts of carriers and users are cut: a table's row must stay a row. */
const longestText = 120;

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/**
 * What can hide from a reader: controls, formatting and directional marks, zero-width and joining characters, variation
 * selectors, the tag block, lone surrogates and private use.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

/** Nothing to take away: nearly every id, time and number. */
const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Everything visible of a text, on one line. */
export function visibleLine(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(breaks, " ").replace(invisible, "").trim();
}

/** At most so many characters, an ellipsis included; no character is cut in half. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Free text of a carrier or user as it may enter a result. */
export function cleanText(text: string): string {
  return cutText(visibleLine(text), longestText);
}
