import { extname } from "node:path";
import type { Request, Response } from "express";
import { sendCsv } from "./send-csv.ts";
import { sendXlsx } from "./send-xlsx.ts";

/** Rows of a file, at most one batch in memory. */
export interface RowFile {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Of the header line. */
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;
}

/** Streams rows as the ending of the requested path says: ".xlsx" as an Excel workbook, otherwise as CSV. */
export const sendRows = (request: Request, response: Response, file: RowFile): Promise<void> =>
  extname(request.path) === ".xlsx" ? sendXlsx(response, file) : sendCsv(response, file);
