import { editDistance, folded } from "./nearest-places.ts";

/** One edit in four characters: more make another name of it. */
const editsAllowed = (searchText: string): number => Math.max(1, Math.floor(searchText.length / 4));

/** Returns the parts of a name with as many words as were typed: "GRANITE" of "SBX GRANITE". */
function wordSequences(name: string, wordCount: number): readonly string[] {
  const words = name.split(/\s+/);
  return words.map((_word, index) => words.slice(index, index + wordCount).join(" "));
}

/** The names that were probably meant by a misspelled text, the nearest first; none that has the text itself. */
export function nearestNames(searchText: string, names: readonly string[], limit: number): string[] {
  const text = folded(searchText);
  const wordCount = text.split(/\s+/).length;
  const edits = (name: string): number =>
    Math.min(...[name, ...wordSequences(name, wordCount)].map((part) => editDistance(text, part)));
  return [...new Set(names)]
    .map((name) => ({ name, edits: edits(folded(name)) }))
    .filter((one) => one.edits > 0 && one.edits <= editsAllowed(text))
    .sort((one, other) => one.edits - other.edits || (one.name < other.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}
