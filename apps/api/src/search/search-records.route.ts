import { compareText } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { otherSpellings, readSearchQuery, type SearchQuery, searchText } from "@svc/domain/search";
import type { Shipment } from "@svc/domain/shipments";
import { completeListLinks, resourceDocument } from "@svc/jsonapi/documents";
import { oneText } from "@svc/jsonapi/query";
import {
  containerSearchResult,
  SearchResultResource,
  shipmentSearchResult,
  trackingRequestSearchResult,
} from "@svc/jsonapi/search";
import type { CatalogueLine } from "@svc/persistence/reference-data";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";
import { findLine } from "../tracking-requests/number-forms.ts";

/** docs/contract/reference.md 1.6. */
const resultsMax = 25;

const SearchResults = z
  .object({
    data: z.array(SearchResultResource).max(resultsMax),
    links: z.object({ self: z.url(), current: z.url().describe("The same as self: there are no pages.") }),
  })
  .meta({ id: "SearchResults" });

/** A number with the SCAC of its line in front. */
interface PrefixedNumber {
  readonly scac: string;
  readonly bareNumber: string;
}

const scacLength = 4;

/** The number after the SCAC of a line in front of it; null without one. */
function readPrefixedNumber({ number }: SearchQuery, lines: readonly CatalogueLine[]): PrefixedNumber | null {
  const line = findLine(number.slice(0, scacLength), lines);
  const bareNumber = number.slice(scacLength);
  return line && bareNumber !== "" ? { scac: line.scac, bareNumber } : null;
}

interface FoundShipment {
  readonly shipment: Shipment;
  readonly bookingNumber: string | null;
}

function namesShipment(
  { number, text }: SearchQuery,
  prefixed: PrefixedNumber | null,
  { shipment, bookingNumber }: FoundShipment,
): boolean {
  const numbers = [shipment.billOfLadingNumber, shipment.normalizedNumber, bookingNumber ?? ""];
  const spellings = [text, ...otherSpellings(text)];
  return (
    (prefixed?.scac === shipment.shippingLineScac &&
      numbers.some((own) => normalizeContainerNumber(own) === prefixed.bareNumber)) ||
    (number !== "" && numbers.some((own) => normalizeContainerNumber(own).includes(number))) ||
    [...numbers, ...shipment.refNumbers]
      .map(searchText)
      .some((own) => spellings.some((spelling) => own.includes(spelling)))
  );
}

function namesContainer({ containerNumber, text }: SearchQuery, container: Container): boolean {
  const spellings = [text, ...otherSpellings(text)];
  return (
    (containerNumber !== "" && container.number.includes(containerNumber)) ||
    container.refNumbers.some((reference) => spellings.includes(searchText(reference)))
  );
}

export const searchRecordsRoute = defineRoute({
  method: "get",
  path: "/search",
  operationId: "search",
  summary: "Search shipments, containers and tracking requests",
  description:
    "Finds records by part of a number or reference, by a whole number with the SCAC of its carrier in front, or by the beginning of a text of a custom field, in any case and with any separators between its parts, or none. Returns up to 25 results: shipments, then containers, then tracking requests without a shipment, newest first.",
  tag: "Search",
  scope: "read",
  request: {
    query: {
      type: "search_result",
      parameters: {
        query: oneText("query", "Part of a number or of a reference number.", { maxLength: 100, required: true }),
      },
      ignored: ["page[number]", "page[size]"],
    },
  },
  responses: { 200: { description: "The results.", schema: SearchResults } },
  async handle({ services, caller, query }) {
    const searchQuery = readSearchQuery(query.parameters.query ?? "");
    const links = completeListLinks(`${services.settings.baseUrl}/search`, query.pairs);
    if (!searchQuery) return { status: 200, document: resourceDocument([], null, query.fields, { links }) };
    const { accountId } = caller;
    const prefixed = readPrefixedNumber(searchQuery, await services.shippingLines());
    const bareNumber = prefixed?.bareNumber ?? null;
    const matching = await services.findMatchingShipments(accountId, searchQuery, resultsMax, bareNumber);
    const ids = matching.map(({ id }) => id);
    const bookingNumbers = new Map(matching.map(({ id, bookingNumber }) => [id, bookingNumber]));
    const idsWithField = matching.flatMap(({ id, hasField }) => (hasField ? [id] : []));
    const [found, containers, withField, requests] = await Promise.all([
      services.shipments.findMany(accountId, ids),
      services.containers.findOfShipments(accountId, ids),
      services.findFieldMatches(accountId, idsWithField, searchQuery),
      services.trackingRequests.search(accountId, searchQuery, { withoutShipments: ids, limit: resultsMax }),
    ]);
    const byId = new Map(found.map((shipment) => [shipment.id, shipment]));
    const shipments = found.toSorted((a, b) => compareText(b.createdAt, a.createdAt));
    const containersByShipment = Map.groupBy(containers, ({ shipmentId }) => shipmentId);
    const matched = containers
      .flatMap((container) => {
        const shipment = byId.get(container.shipmentId);
        const isMatch = withField.has(container.id) || namesContainer(searchQuery, container);
        return shipment && isMatch ? [{ container, shipment }] : [];
      })
      .slice(0, resultsMax);
    const matchedIds = matched.map(({ container }) => container.id);
    const lastEvents = matchedIds.length === 0 ? [] : await services.readLastEvents(accountId, matchedIds);
    const eventOf = new Map(lastEvents.map(({ containerId, event }) => [containerId, event]));
    const results = [
      ...shipments
        .map((shipment) => ({ shipment, bookingNumber: bookingNumbers.get(shipment.id) ?? null }))
        .filter((candidate) => withField.has(candidate.shipment.id) || namesShipment(searchQuery, prefixed, candidate))
        .map(({ shipment, bookingNumber }) =>
          shipmentSearchResult(shipment, containersByShipment.get(shipment.id) ?? [], bookingNumber),
        ),
      ...matched.map(({ container, shipment }) =>
        containerSearchResult(container, shipment, eventOf.get(container.id) ?? null),
      ),
      ...requests.map(trackingRequestSearchResult),
    ];
    return { status: 200, document: resourceDocument(results.slice(0, resultsMax), null, query.fields, { links }) };
  },
});
