import type { AdminContext } from "./admin-session.ts";

function formatCell(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value.replace(/\p{Cc}/gu, " ") : "-";
}

/** Aligned columns on a terminal, else one JSON object a line. */
export function showRows(context: AdminContext, rows: readonly object[]): void {
  if (!context.isTerminal) {
    for (const row of rows) context.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const [first] = rows;
  if (first === undefined) {
    context.writeError("None.\n");
    return;
  }
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(formatCell))];
  const widths = Object.keys(first).map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines)
    context.write(
      `${line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
}
