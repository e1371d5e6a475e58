import type { StoredReading } from "../carrier-protocol.ts";
import { parseJsonBody } from "../json-body.ts";
import { terminalObservations } from "../terminal/terminal-observation.ts";
import type { Facility, FacilityQuery, TerminalApi, TerminalOptions } from "./terminal-api.ts";

export function facilityAt({ facilities }: TerminalOptions, place: string): Facility | undefined {
  return facilities.find(({ locodes }) => locodes.includes(place));
}

/** The body that is stored: the documents as received, with the place, which they may not name. */
export function storedDocuments(place: string, bodies: readonly Uint8Array[]): Uint8Array {
  const parts = bodies.flatMap((body, index) => [Buffer.from(index === 0 ? "" : ","), body]);
  return Buffer.concat([Buffer.from(`{"place":${JSON.stringify(place)},"documents":[`), ...parts, Buffer.from("]}")]);
}

/** Null: the documents are none of the API. Without drafts: the operator does not know the container. */
export function readDocuments(
  api: TerminalApi,
  documents: readonly unknown[],
  query: FacilityQuery,
): StoredReading | null {
  const reading = api.read(documents, query);
  if (reading === null) return null;
  const visits = reading.visit === null ? [] : [reading.visit];
  return { drafts: terminalObservations({ visits }, query.containerNumber), skipped: reading.unmapped };
}

/** Reads a body of `storedDocuments`; null when it is none, or when its place is of no facility any more. */
export function readStoredDocuments(
  api: TerminalApi,
  options: TerminalOptions,
  body: Uint8Array,
  containerNumber: string,
): StoredReading | null {
  const stored = parseJsonBody(body) as { readonly place?: unknown; readonly documents?: unknown } | null | undefined;
  if (typeof stored?.place !== "string" || !Array.isArray(stored.documents)) return null;
  const { place, documents } = stored;
  const facility = facilityAt(options, place);
  return facility === undefined ? null : readDocuments(api, documents, { facility, place, containerNumber });
}
