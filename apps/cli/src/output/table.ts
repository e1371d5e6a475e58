import { displayWidth, plainText, shortened } from "./plain-text.ts";

export interface TableStyle {
  /** Width of the terminal, in characters. */
  readonly columns: number;
  readonly colour: boolean;
}

const gap = 2;
const narrowest = 6;

/** Narrows the widest column until the line fits. */
function fitted(widths: readonly number[], columns: number): number[] {
  const result = [...widths];
  for (;;) {
    const total = result.reduce((sum, width) => sum + width, 0) + gap * (result.length - 1);
    const widest = Math.max(...result);
    if (total <= columns || widest <= narrowest) return result;
    result[result.indexOf(widest)] = Math.max(narrowest, widest - (total - columns), 1 + Math.floor(widest / 2));
  }
}

const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - displayWidth(text)));

/** Aligned columns under their titles. What does not fit a column is cut, never wrapped. */
export function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, colour }: TableStyle,
): string {
  const clean = rows.map((row) => row.map(plainText));
  const natural = titles.map((title, index) =>
    Math.max(displayWidth(title), ...clean.map((row) => displayWidth(row[index] ?? ""))),
  );
  const widths = fitted(natural, columns);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padded(shortened(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  const heading = line(titles);
  return [colour ? `\u001b[1m${heading}\u001b[22m` : heading, ...clean.map(line)].map((text) => `${text}\n`).join("");
}

/** One record as names and values, one below the other; values are cut at the terminal's edge. */
export function renderFields(fields: readonly (readonly [string, string])[], { columns, colour }: TableStyle): string {
  const width = Math.max(...fields.map(([name]) => displayWidth(name)), 0);
  const text = (name: string, value: string) => {
    const paddedName = padded(name, width);
    return `${colour ? `\u001b[2m${paddedName}\u001b[22m` : paddedName}  ${shortened(plainText(value), Math.max(narrowest, columns - width - gap))}\n`;
  };
  return fields.map(([name, value]) => text(name, value)).join("");
}
