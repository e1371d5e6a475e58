import type { AdminWorld } from "./admin-session.ts";

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value.replace(/\p{Cc}/gu, " ") : "-";
}

/** Aligned columns on a terminal, else one JSON object a line. */
export function showRows(world: AdminWorld, rows: readonly object[]): void {
  if (!world.isTerminal) {
    for (const row of rows) world.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const [first] = rows;
  if (first === undefined) {
    world.writeError("None.\n");
    return;
  }
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(textOf))];
  const widths = Object.keys(first).map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines)
    world.write(
      `${line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
}
