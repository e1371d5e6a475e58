import { isWholeNumber, readSearchQuery, type SearchQuery, searchText } from "@svc/domain/search";
import type { MappedRecord, SearchResultResource } from "@svc/sdk";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { Session } from "../session.ts";

export type FoundRecord = MappedRecord<SearchResultResource>;

const listedMax = 5;

/** The records that a text names as a whole: by a number, or by a reference. */
export interface NamedRecords {
  readonly byNumber: readonly FoundRecord[];
  readonly byReference: readonly FoundRecord[];
  /** All results of the search: the text may be only a part of what they have. */
  readonly found: readonly FoundRecord[];
}

function hasNumber(query: SearchQuery, { entityType, number, otherNumbers, scac }: FoundRecord): boolean {
  if (entityType === "cargo") return number === query.containerNumber;
  return isWholeNumber(query, { numbers: [number, ...otherNumbers], scac });
}

export async function findNamedRecords({ client, call }: Session, text: string): Promise<NamedRecords> {
  const query = readSearchQuery(text);
  if (query === null) return { byNumber: [], byReference: [], found: [] };
  const found = await client.search(text, { format: "mapped", signal: call.signal });
  return {
    byNumber: found.filter((result) => hasNumber(query, result)),
    byReference: found.filter(({ refNumbers }) => refNumbers.some((known) => searchText(known) === query.text)),
    found,
  };
}

function listRecords(records: readonly FoundRecord[]): string {
  const listed = records.slice(0, listedMax).map(({ entityType, number, id }) => {
    const kind = entityType === "cargo" ? "container" : entityType.replace("_", " ");
    return `${kind} ${plainText(number)} (${id})`;
  });
  return [...listed, ...(records.length > listedMax ? ["…"] : [])].join(", ");
}

/** The error for a text that names several records. */
export const severalRecords = (text: string, records: readonly FoundRecord[]): CliError =>
  new CliError(
    exitCodes.usage,
    `Several records have ${plainText(text)}: ${listRecords(records)}. Name one by its own number or id.`,
  );

/** The error for a text that no record has as a whole. */
export function noRecord(what: string, text: string, similar: readonly FoundRecord[]): CliError {
  const advice = similar.length === 0 ? "`svc track` begins to track it" : `similar: ${listRecords(similar)}`;
  return new CliError(exitCodes.notFound, `No ${what} has the number or reference ${plainText(text)}; ${advice}.`);
}
