type Scalar = string | number | boolean | null | undefined;

function isScalar(value: unknown): value is Scalar {
  return typeof value !== "object" || value === null;
}

function cell(value: unknown): string {
  if (isScalar(value)) return String(value ?? "");
  if (Array.isArray(value)) return value.map(cell).join(" | ");
  return Object.entries(value)
    .map(([name, member]) => `${name}=${cell(member)}`)
    .join(", ");
}

/** Tab-separated: a line of column names, then a line for each row. About a third of the tokens of JSON. */
function table(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [columns.join("\t"), ...rows.map((row) => columns.map((column) => cell(row[column])).join("\t"))];
}

function isTable(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => !isScalar(row) && !Array.isArray(row));
}

function writeLines(content: object, prefix: string, lines: string[]): string[] {
  for (const [name, value] of Object.entries(content)) {
    const key = `${prefix}${name}`;
    if (isTable(value)) lines.push(`${key} (${value.length}):`, ...table(value));
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) writeLines(value, `${key}.`, lines);
    else if (value !== undefined) lines.push(`${key}: ${cell(value)}`);
  }
  return lines;
}

/**
 * The same facts as the structured content, for clients that show a model only text: lines of `name: value`, and lists of
 * records as tables. The content must be clean: a tab or line break in a value would forge a row.
 */
export function renderText(content: object): string {
  return writeLines(content, "", []).join("\n");
}
