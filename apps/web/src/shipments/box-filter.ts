/** More containers than this can be filtered. */
export const boxesWithoutFilter = 8;

/** What one looks for, or is found by, in the form in which they are compared. */
const folded = (text: string): string => text.normalize("NFKC").replace(/\s+/g, " ").trim().toUpperCase();

/** What a container is found by: its number, then its references and how it is, one in each line. */
export const findableText = (number: string, others: readonly string[]): string =>
  [number, ...others].map(folded).join("\n");

/** Whether a part of its number, whose spaces and dashes do not matter, or of anything else it is found by was typed. */
export function isFound(findable: string, typed: string): boolean {
  const text = folded(typed);
  const number = text.replace(/[\s-]/g, "");
  const [ownNumber = ""] = findable.split("\n", 1);
  return findable.includes(text) || (number !== "" && ownNumber.includes(number));
}

/** How many are shown, for who cannot see that the list became shorter. */
export function foundWords(found: number, all: number): string {
  if (found === all) return `${all} containers`;
  return found === 0 ? `None of ${all} containers` : `${found} of ${all} containers`;
}
