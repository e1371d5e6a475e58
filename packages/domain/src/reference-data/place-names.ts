/** A place of the directory, with the names under which carriers write it. */
export interface NamedPlace {
  readonly locode: string;
  readonly name: string | null;
  readonly city: string | null;
}

/** UN/LOCODE of a place that a carrier names in words; null: unknown, or not certain. */
export type LocodeOf = (text: string) => string | null;

/** Names of countries that carriers write and the CLDR does not. */
const otherCountryNames: Readonly<Record<string, string>> = {
  "great britain": "GB",
  "ivory coast": "CI",
  korea: "KR",
  "korea republic of": "KR",
  "republic of korea": "KR",
  "russian federation": "RU",
  turkey: "TR",
  uae: "AE",
  uk: "GB",
  us: "US",
  usa: "US",
  "united states of america": "US",
  "viet nam": "VN",
};

/** `Nhava Sheva (JNPT)` as `nhava sheva jnpt`. */
const normalized = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The name as a whole, and the parts of `New York / New Jersey` and `Yantian (Shenzhen)`. */
const spellingsOf = (name: string): readonly string[] => [name, ...name.split(/[/()]/)].map(normalized).filter(Boolean);

function countryCodesByName(codes: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  // `Hong Kong SAR China`, `Myanmar (Burma)`
  const standardNames = [...codes].flatMap((code) => {
    const name = (names.of(code) ?? code).replace(/ SAR China$/, "");
    return [name, name.replace(/ \(.*\)$/, "")].map((each) => [normalized(each), code] as const);
  });
  return new Map([...standardNames, ...Object.entries(otherCountryNames)]);
}

/**
 * Finds places in words, as `Long Beach,United States` or `QQCTU Qingdao,Qingdao,Shandong,China`: facility, city, state
 * and country, of which the facility and the state may be missing. City and country must name one place of the
 * directory; a name that fits two, or no country, is never guessed.
 */
export function createPlaceNames(places: readonly NamedPlace[]): LocodeOf {
  const locodes = new Map<string, string | null>();
  const countries = countryCodesByName(new Set(places.map(({ locode }) => locode.slice(0, 2))));
  for (const { locode, name, city } of places) {
    for (const spelling of new Set([name, city].flatMap((each) => (each === null ? [] : spellingsOf(each))))) {
      const key = `${spelling}, ${locode.slice(0, 2)}`;
      const other = locodes.get(key);
      locodes.set(key, other === undefined || other === locode ? locode : null);
    }
  }
  return (text) => {
    const parts = text.split(",");
    const country = countries.get(normalized(parts.at(-1) ?? ""));
    const city = parts.length > 2 ? parts.at(-3) : parts[0];
    if (country === undefined || city === undefined || parts.length < 2) return null;
    return locodes.get(`${normalized(city)}, ${country}`) ?? null;
  };
}
