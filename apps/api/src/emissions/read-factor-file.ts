import { readCsv } from "@svc/domain/event-imports";
import { factorColumns } from "@svc/jsonapi/emissions";

export const importRowsMax = 1_000;

const lists: ReadonlySet<string> = new Set(["origins", "destinations"]);
const codes: ReadonlySet<string> = new Set(["carrier_scac", ...lists]);
const flags: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

/** The value of an attribute. What has another form stays a text, which the attribute then refuses. */
function parseAttribute(column: string, cell: string): unknown {
  const text = codes.has(column) ? cell.toUpperCase() : cell;
  if (lists.has(column)) return text.split(/[\s,;|]+/).filter((place) => place !== "");
  if (column === "grams_per_teu_km") return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (column === "both_directions") return flags[text.toLowerCase()] ?? text;
  return text;
}

/**
 * The attributes of each row of a CSV file with the names of the attributes in its first line; an empty cell is absent.
 * A text describes what is wrong with the file as a whole.
 */
export function readFactorFile(text: string): readonly (Readonly<Record<string, unknown>> | null)[] | string {
  const records = readCsv(text, ",;\t");
  if (typeof records === "string") return records;
  const [header, ...rows] = records;
  const names = header?.fields.map((name) => name.toLowerCase()) ?? [];
  const columns = `The columns are ${factorColumns.join(", ")}.`;
  const unknown = names.find((name) => !factorColumns.some((column) => column === name));
  if (unknown !== undefined) return `There is no column ${JSON.stringify(unknown.slice(0, 50))}. ${columns}`;
  if (new Set(names).size !== names.length) return `The header names a column twice. ${columns}`;
  if (rows.length === 0) return `The file has no row below its header. ${columns}`;
  if (rows.length > importRowsMax) return `A file may have ${importRowsMax} rows. Split it.`;
  return rows.map(({ fields }) => {
    if (fields.length !== names.length) return null;
    const cells = names.flatMap((name, index) => {
      const cell = fields[index] ?? "";
      return cell === "" ? [] : [[name, parseAttribute(name, cell)] as const];
    });
    return Object.fromEntries(cells);
  });
}
