import { once } from "node:events";
import { csvLine } from "@svc/jsonapi/exports";
import type { Response } from "express";
import type { RowFile } from "./row-file.ts";

/**
 * Streams rows as CSV with at most one batch in memory. `columns` is the header line. The byte order mark makes Excel
 * read the file as UTF-8.
 */
export async function sendCsv(response: Response, { name, columns, batches }: RowFile): Promise<void> {
  const write = async (text: string): Promise<void> => {
    if (!response.write(text)) await Promise.race([once(response, "drain"), once(response, "close")]);
  };
  response.type("text/csv").attachment(`${name}.csv`);
  await write(`\uFEFF${csvLine(columns)}`);
  for await (const rows of batches) {
    if (response.destroyed) return;
    await write(rows.map((row) => csvLine(columns.map((column) => row[column]))).join(""));
  }
  response.end();
}
