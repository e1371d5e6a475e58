/** Rows of a file, which are read as the client takes the file. */
export interface RowFile {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Of the header line. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<Readonly<Record<string, unknown>>>;
}
