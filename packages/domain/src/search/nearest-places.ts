/** A place as a person may name it. */
export interface NamedPlace {
  readonly locode: string;
  readonly name: string;
  readonly city?: string | null;
}

/**
 * Edits that turn one text into the other: insertions, deletions, replacements and swaps of neighbours (optimal string
 * alignment).
 */
export function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

/** Returns the text in upper case, without accents. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toUpperCase()
    .trim();

const locodeForm = /^[A-Z]{2}[A-Z0-9]{3}$/;
const countryLength = 2;

/** The beginning of the name after the country: USLON for Long Beach. */
const isAbbreviated = (searchText: string, locode: string, name: string): boolean =>
  locode.slice(0, countryLength) === searchText.slice(0, countryLength) &&
  name.replace(/[^A-Z]/g, "").startsWith(searchText.slice(countryLength));

function edits(searchText: string, { locode, name, city }: NamedPlace): number {
  const names = [name, city ?? ""].map(folded).filter((text) => text !== "");
  if (locode === searchText || names.includes(searchText)) return 0;
  if (names.some((text) => text.includes(searchText))) return 1;
  const isCode = locodeForm.test(searchText);
  const codeDistance = isCode ? editDistance(searchText, locode) : Number.POSITIVE_INFINITY;
  if (isCode && names.some((text) => isAbbreviated(searchText, locode, text))) return Math.min(codeDistance, 1);
  return Math.min(codeDistance, ...names.map((text) => editDistance(searchText, text)));
}

/** A third of the characters: more edits make another name of it. */
const editsAllowed = (searchText: string): number =>
  Math.max(1, Math.floor(searchText.length / 3) + (searchText.length > 4 ? 1 : 0));

/**
 * The places that a UN/LOCODE, a name or a city means, also where it is misspelled: the nearest first, and of those
 * that are equally near the ones in the same country.
 */
export function nearestPlaces<Place extends NamedPlace>(
  searchText: string,
  places: readonly Place[],
  limit: number,
): Place[] {
  const text = folded(searchText);
  const country = text.slice(0, countryLength);
  return places
    .map((place) => ({ place, edits: edits(text, place), isAbroad: place.locode.startsWith(country) ? 0 : 1 }))
    .filter((one) => one.edits <= editsAllowed(text))
    .sort((a, b) => a.edits - b.edits || a.isAbroad - b.isAbroad || (a.place.locode < b.place.locode ? -1 : 1))
    .slice(0, limit)
    .map(({ place }) => place);
}
