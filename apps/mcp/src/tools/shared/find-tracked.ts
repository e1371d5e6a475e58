import { isWholeNumber, otherSpellings, readSearchQuery, type SearchQuery, searchText } from "@svc/domain/search";
import type { SearchResultResource } from "@svc/jsonapi/search";
import type { Caller } from "../../api/caller.ts";

/** The API's own limit: with so many results, an exact match may be among those it left out. */
const searchLimit = 25;
const exactMax = 10;

export const matchKinds = [
  "container_exact",
  "shipment_exact",
  "reference",
  "container_partial",
  "shipment_partial",
  "tracking_request",
] as const;
type MatchKind = (typeof matchKinds)[number];

export interface Match {
  readonly match: MatchKind;
  readonly container_id?: string;
  readonly container_number?: string;
  readonly shipment_id?: string | null;
  readonly bill_of_lading_number?: string;
  readonly tracking_request_id?: string;
  readonly number?: string;
  readonly status?: string | null;
  readonly ref_numbers: readonly string[];
  /** Whether tracking of its shipment has ended; not set: not known. */
  readonly tracking_stopped?: boolean | null;
}

/**
 * The order in which a web deep link resolves (docs/contract/specification.md deep_link.1 to deep_link.4); a request
 * without a shipment comes last.
 */
function toMatchKind({ attributes }: SearchResultResource, query: SearchQuery): MatchKind {
  if (attributes.entity_type === "tracking_request") return "tracking_request";
  const isContainer = attributes.entity_type === "cargo";
  if (isContainer && attributes.number === query.containerNumber) return "container_exact";
  const { number, other_numbers, scac } = attributes;
  if (!isContainer && isWholeNumber(query, { numbers: [number, ...other_numbers], scac })) return "shipment_exact";
  const spellings = [query.text, ...otherSpellings(query.text)];
  if (attributes.ref_numbers.some((known) => spellings.includes(searchText(known)))) return "reference";
  return isContainer ? "container_partial" : "shipment_partial";
}

function toMatch(result: SearchResultResource, query: SearchQuery): Match {
  const { id, attributes } = result;
  const match = toMatchKind(result, query);
  const { ref_numbers, number, status, shipment_id, tracking_stopped } = attributes;
  switch (attributes.entity_type) {
    case "cargo":
      return { match, container_id: id, container_number: number, shipment_id, ref_numbers, tracking_stopped };
    case "shipment":
      return { match, shipment_id: id, bill_of_lading_number: number, ref_numbers, tracking_stopped };
    case "tracking_request":
      return { match, tracking_request_id: id, number, status, ref_numbers };
  }
}

async function exactContainers({ containerNumber }: SearchQuery, { client }: Caller): Promise<Match[]> {
  if (!/^[A-Z0-9]+$/.test(containerNumber)) return [];
  const document = await client.containers.list({ filter: { number: containerNumber }, pageSize: exactMax });
  return document.data.map(({ id, attributes, relationships }) => ({
    match: "container_exact",
    container_id: id,
    container_number: attributes.container_number,
    shipment_id: relationships.shipment.data.id,
    ref_numbers: attributes.ref_numbers,
  }));
}

/** Finds the records that the account tracks under a number or reference, best match first. */
export async function findTracked(input: string, caller: Caller): Promise<{ matches: Match[]; isComplete: boolean }> {
  const query = readSearchQuery(input);
  if (!query) return { matches: [], isComplete: true };
  const { data } = await caller.client.search(input);
  const matches = data.map((result) => toMatch(result, query));
  const isComplete = data.length < searchLimit;
  if (!isComplete && !matches.some((match) => match.match === "container_exact")) {
    matches.unshift(...(await exactContainers(query, caller)));
  }
  const rank = (match: Match) => matchKinds.indexOf(match.match);
  return { matches: matches.sort((a, b) => rank(a) - rank(b)), isComplete };
}
