/** Rows of a file, at most one batch in memory. */
export interface RowFile {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Of the header line. */
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;
}
