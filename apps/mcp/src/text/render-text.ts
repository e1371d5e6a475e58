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

function lines(content: object, prefix: string): string[] {
  return Object.entries(content).flatMap(([name, value]) => {
    const key = `${prefix}${name}`;
    if (isTable(value)) return [`${key} (${value.length}):`, ...table(value)];
    if (isScalar(value) || Array.isArray(value)) return value === undefined ? [] : [`${key}: ${cell(value)}`];
    return lines(value as object, `${key}.`);
  });
}

/**
 * The same facts as the structured content, for clients that show a model only text: lines of `name: value`, and lists of
 * records as tables. The content must be clean: a tab or line break in a value would forge a row.
 */
export function renderText(content: object): string {
  return lines(content, "").join("\n");
}
