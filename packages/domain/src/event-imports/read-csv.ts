/** A record of a CSV text and the line it begins in, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * RFC 4180, also with bare line feeds and a byte order mark. Empty lines are left out. A sentence when the text is no CSV: a quote
 * that is not closed, or stands inside a field.
 */
export function readCsv(text: string): readonly CsvRecord[] | string {
  const records: CsvRecord[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  let line = 1;
  let fields: string[] = [];
  let firstLine = 1;
  field.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (field.lastIndex < text.length || fields.length > 0) {
    const match = field.exec(text);
    if (match === null) return `Line ${line} has a quote that is not closed or stands inside a field.`;
    const [whole, quoted, plain = "", end] = match;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ",") continue;
    if (fields.length > 1 || fields[0] !== "") records.push({ line: firstLine, fields });
    fields = [];
    firstLine = line;
    if (end === "") break;
  }
  return records;
}
