import { extname } from "node:path";
import type { Request, Response } from "express";
import type { RowFile } from "./row-file.ts";
import { sendCsv } from "./send-csv.ts";
import { sendXlsx } from "./send-xlsx.ts";

/** Streams rows as the ending of the requested path says: ".xlsx" as an Excel workbook, otherwise as CSV. */
export const sendRows = (request: Request, response: Response, file: RowFile): Promise<void> =>
  extname(request.path) === ".xlsx" ? sendXlsx(response, file) : sendCsv(response, file);
