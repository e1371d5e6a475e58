import { once } from "node:events";
import { csvLine } from "@svc/jsonapi/exports";
import type { Response } from "express";
import type { RowFile } from "./row-file.ts";

/** Characters that are written at once. */
const pieceLength = 65_536;

/** Streams rows as CSV, as fast as the client reads it. The byte order mark makes Excel read the file as UTF-8. */
export async function sendCsv(response: Response, { name, columns, rows }: RowFile): Promise<void> {
  const write = async (text: string): Promise<void> => {
    if (!response.write(text)) await Promise.race([once(response, "drain"), once(response, "close")]);
  };
  response.type("text/csv").attachment(`${name}.csv`);
  let piece = `\uFEFF${csvLine(columns)}`;
  for await (const row of rows) {
    piece += csvLine(columns.map((column) => row[column]));
    if (piece.length < pieceLength) continue;
    await write(piece);
    piece = "";
    if (response.destroyed) return;
  }
  response.end(piece);
}
