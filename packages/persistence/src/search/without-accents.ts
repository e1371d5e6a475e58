/** The range that NFD splits from letters of Latin, Greek and Cyrillic names. PostgreSQL reads the same escapes. */
const accents = String.raw`[\u0300-\u036f]`;
const accentPattern = new RegExp(accents, "gu");

/** "Muller" of "Müller": names are compared without what many keyboards do not have. */
export const withoutAccents = (text: string): string => text.normalize("NFD").replace(accentPattern, "");

/** SQL form of `withoutAccents`. */
export const withoutAccentsSql = (text: string): string =>
  `regexp_replace(normalize(${text}, NFD), '${accents}', '', 'g')`;

/** SQL condition that a name has the text as a part, ignoring case and accents. */
export const hasPartSql = (name: string, part: string): string =>
  `position(lower(${withoutAccentsSql(part)}) IN lower(${withoutAccentsSql(name)})) > 0`;
