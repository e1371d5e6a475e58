import { once } from "node:events";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { moneyDigits } from "@svc/domain/money";
import { cellText, csvLine } from "@svc/jsonapi/exports";
import type { Request, Response } from "express";
import { type CellValue, type ColumnDef, writeXlsxStream } from "hucre/xlsx";

/** The local date and time to the minute, as display cells have it, which a workbook has as a date. */
const localShape = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;

/** What a column of a workbook holds. */
export type ColumnFormat = "time" | "day" | "amount" | "plain";

/** Rows of a file, which are read as the client takes the file. */
interface RowFile {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** Columns of the header line. */
  readonly columns: readonly string[];
  /** Headings of columns in a workbook; by default their names. */
  readonly headings?: Readonly<Record<string, string>>;
  /** Formats of columns in a workbook; by default those that their names say. */
  readonly formats?: Readonly<Record<string, ColumnFormat>>;
  readonly rows: AsyncIterable<Readonly<Record<string, unknown>>>;
}

/** Characters that are written at once. */
const chunkLength = 65_536;

/** Streams rows as CSV, as fast as the client reads it. The byte order mark makes Excel read the file as UTF-8. */
async function sendCsv(response: Response, { name, columns, rows }: RowFile): Promise<void> {
  const write = async (text: string): Promise<void> => {
    if (!response.write(text)) await Promise.race([once(response, "drain"), once(response, "close")]);
  };
  response.type("text/csv").attachment(`${name}.csv`);
  let chunk = `\uFEFF${csvLine(columns)}`;
  for await (const row of rows) {
    chunk += csvLine(columns.map((column) => row[column]));
    if (chunk.length < chunkLength) continue;
    await write(chunk);
    chunk = "";
    if (response.destroyed) return;
  }
  response.end(chunk);
}

const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Excel refuses a file with a longer text in a cell. */
const textMax = 32_767;

const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;

function formatOf({ formats = {} }: RowFile, column: string): ColumnFormat {
  const format = formats[column];
  if (format) return format;
  if (/_(?:at|local)$/.test(column)) return "time";
  if (/(?:^|_)(?:day|date)$/.test(column)) return "day";
  return column.endsWith("_amount") ? "amount" : "plain";
}

/** Characters that XML 1.0 does not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const noXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * A value as a cell. Dates have no zone in a workbook: times are in UTC, as in CSV, or local to a zone that another
 * column names. Texts are cells of the type text, which are never run as a formula, whatever they begin with.
 */
function cell(format: ColumnFormat, value: unknown): CellValue {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  const text = cellText(value);
  if (format === "time" && localShape.test(text)) return new Date(`${text.replace(" ", "T")}:00Z`);
  const isDate = (format === "time" && instantShape.test(text)) || (format === "day" && dayShape.test(text));
  return isDate ? new Date(text) : text.toWellFormed().replace(noXml, "").slice(0, textMax);
}

const numberFormats: Partial<Readonly<Record<ColumnFormat, string>>> = {
  time: "yyyy-mm-dd hh:mm",
  day: "yyyy-mm-dd",
};

/** The decimal places of the currency that another column of the row names: "#,##0" for JPY, "#,##0.000" for KWD. */
function amountFormat(column: string, row: Readonly<Record<string, unknown>>): string {
  const digits = moneyDigits(cellText(row[column.replace(/_amount$/, "_currency_code")]));
  return `#,##0.${"0".repeat(digits)}`.replace(/\.$/, "");
}

/** Wide enough for the values: Excel shows a date in a narrow column as ####. */
function toColumn(format: ColumnFormat, header: string): ColumnDef {
  const width = Math.max(format === "time" ? 18 : 12, header.length + 2);
  const numFmt = numberFormats[format];
  return numFmt === undefined ? { header, width } : { header, width, numFmt };
}

/**
 * Excel opens no file without a row, so a list without rows has the header alone. The workbook reads the formats of
 * `columns` with each row: those of amounts follow its currencies.
 */
async function* cells(file: RowFile, columns: readonly ColumnDef[]): AsyncGenerator<CellValue[], void, undefined> {
  const read = file.columns.map((name, index) => ({ name, format: formatOf(file, name), column: columns[index] }));
  const amounts = read.filter(({ format }) => format === "amount");
  for await (const row of file.rows) {
    for (const { name, column } of amounts) if (column) column.numFmt = amountFormat(name, row);
    yield read.map(({ name, format }) => cell(format, row[name]));
  }
}

/** Streams rows as an Excel workbook, as fast as the client reads it. */
async function sendXlsx(response: Response, file: RowFile): Promise<void> {
  const { name, headings = {} } = file;
  const columns = file.columns.map((column) => toColumn(formatOf(file, column), headings[column] ?? column));
  const workbook = writeXlsxStream(cells(file, columns), { name, columns, freezePane: { rows: 1 } });
  response.type(mediaType).attachment(`${name}.xlsx`);
  try {
    await pipeline(Readable.fromWeb(workbook), response);
  } catch (error) {
    // The client closed the connection.
    if ((error as { code?: unknown }).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

/** Streams rows as the ending of the requested path says: ".xlsx" as an Excel workbook, otherwise as CSV. */
export const sendRows = (request: Request, response: Response, file: RowFile): Promise<void> =>
  extname(request.path) === ".xlsx" ? sendXlsx(response, file) : sendCsv(response, file);
