import { RateLimitError, ValidationError } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { quotedValue } from "../text/clean-text.ts";
import { carrierConnections } from "./shared/carrier-connection.ts";
import { defineTool } from "./shared/define-tool.ts";
import { optionalText } from "./shared/fields.ts";
import { findTracked, type Match, matchKinds } from "./shared/find-tracked.ts";
import { adviceFor, canBeTracked, checkDigitProblem } from "./shared/number-advice.ts";

const matchesMax = 10;
const candidatesMax = 5;

const identified = z.object({
  number_type: z.string(),
  lines: z
    .array(
      z.object({
        scac: z.string(),
        connection: z.string().describe("account, service, or none: then no data arrives"),
      }),
    )
    .optional()
    .describe("several: it may be of any of them"),
});

const output = z.object({
  matches: z.array(
    z.object({
      match: z.enum(matchKinds),
      container_id: optionalText,
      container_number: optionalText,
      bill_of_lading_number: optionalText,
      number: optionalText,
      status: optionalText,
      ref_numbers: z.array(z.string()).optional(),
    }),
  ),
  total: z.number(),
  truncated: z.boolean(),
  identified: identified.optional().describe("what an untracked number is"),
});

/** An id costs as much as a sentence, and its number serves everywhere, unless several have the same. */
function withNeededIds(match: Match, all: readonly Match[]): Match {
  const { container_id, shipment_id: _shipmentId, tracking_request_id: _requestId, ...rest } = match;
  const isTwice = all.filter((other) => other.container_number === match.container_number).length > 1;
  return match.container_number !== undefined && isTwice && container_id ? { ...rest, container_id } : rest;
}

/**
 * Detects the kind and the carrier of a number without tracking it. Undefined: it cannot be a number, or detection has
 * used up its own rate limit, which must not fail the search.
 */
async function identifyUntracked(query: string, caller: Caller): Promise<z.input<typeof identified> | undefined> {
  if (!canBeTracked(query) || checkDigitProblem(query)) return undefined;
  const inferred = await caller.client.trackingRequests.inferNumber(query).catch((error: unknown) => {
    if (error instanceof RateLimitError || error instanceof ValidationError) return undefined;
    throw error;
  });
  if (inferred === undefined) return undefined;
  const { number_type, shipping_line } = inferred.data.attributes;
  const { decision, selected, candidates } = shipping_line;
  const possible = decision === "auto_select" && selected ? [selected] : candidates.slice(0, candidatesMax);
  const connections = possible.length > 0 ? await carrierConnections(caller) : new Map<string, string>();
  return { number_type, lines: possible.map(({ scac }) => ({ scac, connection: connections.get(scac) ?? "none" })) };
}

/** The UN/LOCODE of the port that words name, also where they are misspelled. */
async function portNamed(query: string, { client }: Caller): Promise<string | undefined> {
  if (!/\p{L}{4}/u.test(query) || canBeTracked(query) || checkDigitProblem(query)) return undefined;
  return (await client.ports.list({ search: query })).data[0]?.attributes.code;
}

interface Found {
  readonly matches: readonly Match[];
  readonly isComplete: boolean;
  readonly port: string | undefined;
}

function formatHeadline(query: string, { matches, isComplete, port }: Found): string {
  const [first] = matches;
  if (first === undefined) return `No match for ${quotedValue(query)}. ${adviceFor(query, port)}`;
  const problem = checkDigitProblem(query);
  const note = problem ? ` Note: ${problem}` : "";
  const count = isComplete ? String(matches.length) : `At least ${matches.length}`;
  const more = isComplete ? "" : " Give more of the number for the others.";
  if (first.container_id)
    return `${count} match(es), best first.${more} Details: get_container(${first.container_number}).${note}`;
  if (first.shipment_id)
    return `${count} match(es), best first.${more} Details: get_shipment_details(${quotedValue(first.bill_of_lading_number ?? "")}).`;
  const number = quotedValue(first.number ?? "");
  return `${number} was requested and has no shipment yet: status ${first.status}. Why: list_tracking_requests(filters={request_number: ${number}}).`;
}

export const searchContainer = defineTool({
  name: "search_container",
  title: "Search by number",
  description:
    "Finds what is tracked under a container, bill of lading, booking or reference number, whole or in part, best match " +
    "first; of an untracked number its kind, carrier and connection. Details take numbers directly: call get_container or get_shipment_details at once when the number is whole. " +
    'Example: {"query":"MSCU1234566"}.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(64).describe("e.g. MSCU1234566"),
  }),
  aliases: {
    number: "query",
    q: "query",
    container_number: "query",
    booking_number: "query",
    search: "query",
    text: "query",
  },
  output,
  tokenBudget: 1_500,
  page: ({ query }) => `/shipments/find?q=${encodeURIComponent(query)}`,
  async run({ query }, caller) {
    const { matches, isComplete } = await findTracked(query, caller);
    const [identified, port] =
      matches.length === 0 ? await Promise.all([identifyUntracked(query, caller), portNamed(query, caller)]) : [];
    const isFullList = isComplete && matches.length <= matchesMax;
    const headline = formatHeadline(query, { matches, isComplete: isFullList, port });
    const displayed = matches.slice(0, matchesMax).map((match) => withNeededIds(match, matches));
    return {
      headline,
      content: {
        matches: displayed,
        total: matches.length,
        truncated: !isComplete || displayed.length < matches.length,
        identified,
      },
    };
  },
});
