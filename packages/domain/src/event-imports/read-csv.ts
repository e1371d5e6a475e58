/** A CSV record and the number of its first line, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

const fieldUntil = (separators: string) =>
  new RegExp(
    `[^\\S${separators}\\r\\n]*(?:"((?:[^"]|"")*)"[^\\S${separators}\\r\\n]*|([^"${separators}\\r\\n]*))([${separators}]|\\r\\n|\\n|\\r|$)`,
    "y",
  );

/**
 * Parses RFC 4180, also with bare line feeds, spaces around quotes and a byte order mark. Empty lines are skipped. If
 * several separators are given, a record uses the one after its first field.
 * @returns an error message when a quote is not closed or is inside a field.
 */
export function readCsv(text: string, separators = ","): readonly CsvRecord[] | string {
  const records: CsvRecord[] = [];
  const anyField = fieldUntil(separators);
  let line = 1;
  let fields: string[] = [];
  let firstLine = 1;
  let field = anyField;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length || fields.length > 0) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (match === null) return `Line ${line} has a quote that is not closed or stands inside a field.`;
    const [matched, quoted, plain = "", end = ""] = match;
    at = field.lastIndex;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += matched.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end !== "" && separators.includes(end)) {
      if (fields.length === 1) field = fieldUntil(end);
      continue;
    }
    if (fields.length > 1 || fields[0] !== "") records.push({ line: firstLine, fields });
    [fields, field] = [[], anyField];
    firstLine = line;
    if (end === "") break;
  }
  return records;
}
