/** The filter is shown for more containers than this. */
export const containersWithoutFilter = 8;

/** Normalizes a text for comparison. */
const folded = (text: string): string => text.normalize("NFKC").replace(/\s+/g, " ").trim().toUpperCase();

/** The searchable text of a container: its number, references and state, one per line. */
export const findableText = (number: string, others: readonly string[]): string =>
  [number, ...others].map(folded).join("\n");

/** Whether the searchable text contains the typed text; ignores spaces and dashes in the number. */
export function isFound(findable: string, input: string): boolean {
  const text = folded(input);
  const number = text.replace(/[\s-]/g, "");
  const [ownNumber = ""] = findable.split("\n", 1);
  return findable.includes(text) || (number !== "" && ownNumber.includes(number));
}

/** The count of containers shown, which screen readers announce. */
export function foundText(found: number, all: number): string {
  if (found === all) return `${all} containers`;
  return found === 0 ? `None of ${all} containers` : `${found} of ${all} containers`;
}
