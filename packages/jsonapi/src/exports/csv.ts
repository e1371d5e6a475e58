/** Spreadsheets run a cell that begins with one of these, also full-width, as a formula (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** A value as the text of a cell: lists separated by "; ", values of objects by spaces. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(cellText).join("; ");
  if (typeof value === "object") {
    return Object.values(value)
      .map(cellText)
      .filter((part) => part !== "")
      .join(" ");
  }
  return JSON.stringify(value);
};

/** A value as a cell: lists separated by "; ", texts that a spreadsheet would run as a formula behind an apostrophe. */
export function csvCell(value: unknown): string {
  const plain = cellText(value);
  const safe = typeof value !== "number" && formula.test(plain) ? `'${plain}` : plain;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180, each line with its end. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join(",")}\r\n`;
