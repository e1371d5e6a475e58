import { compareText } from "../compare-text.ts";
import { normalizeContainerNumber } from "../identifiers/container-number.ts";
import type { Instant } from "../instant.ts";
import { type SearchQuery, searchText } from "./search-query.ts";

/** A shipment of the account that may match, alone or with one of its containers. */
export interface SearchCandidate {
  readonly shipmentId: string;
  readonly shipmentCreatedAt: Instant;
  /** Bill of lading, booking and normalized number. */
  readonly shipmentNumbers: readonly string[];
  readonly refNumbers: readonly string[];
  readonly container: {
    readonly id: string;
    readonly number: string;
    readonly refNumbers: readonly string[];
  } | null;
}

/** The rules of docs/contract/specification.md, Web deep link, in order, without the last: no match. */
const searchRules = ["exact_container", "exact_shipment", "partial_container", "partial_shipment"] as const;
export type SearchRule = (typeof searchRules)[number];

/** The shipment that an identifier resolves to. A container is selected only when its own number matched. */
export interface Resolution {
  readonly rule: SearchRule;
  readonly shipmentId: string;
  readonly containerId: string | null;
}

const matches: Readonly<Record<SearchRule, (query: SearchQuery, candidate: SearchCandidate) => boolean>> = {
  exact_container: ({ containerNumber }, { container }) =>
    containerNumber !== "" && container?.number === containerNumber,
  exact_shipment: ({ number, text }, { shipmentNumbers, refNumbers, container }) =>
    (number !== "" && shipmentNumbers.some((known) => normalizeContainerNumber(known) === number)) ||
    [...refNumbers, ...(container?.refNumbers ?? [])].some((known) => searchText(known) === text),
  partial_container: ({ containerNumber }, { container }) =>
    containerNumber !== "" && (container?.number.includes(containerNumber) ?? false),
  partial_shipment: ({ text }, { shipmentNumbers, refNumbers }) =>
    [...shipmentNumbers, ...refNumbers].some((known) => searchText(known).includes(text)),
};

/**
 * Preference among several matches: the shipment created last, then the greater id, as in the list of shipments; then
 * the container with the smallest number (docs/contract/decisions.md 6).
 */
function byPreference(one: SearchCandidate, other: SearchCandidate): number {
  return (
    compareText(other.shipmentCreatedAt, one.shipmentCreatedAt) ||
    compareText(other.shipmentId, one.shipmentId) ||
    compareText(one.container?.number ?? "", other.container?.number ?? "") ||
    compareText(one.container?.id ?? "", other.container?.id ?? "")
  );
}

/**
 * Resolves an identifier by the first rule that matches a candidate, to its preferred match. Candidates may be in any
 * order and need not match. Null: none matches.
 */
export function resolveIdentifier(query: SearchQuery, candidates: readonly SearchCandidate[]): Resolution | null {
  for (const rule of searchRules) {
    const [first] = candidates.filter((candidate) => matches[rule](query, candidate)).sort(byPreference);
    if (!first) continue;
    const byContainer = rule === "exact_container" || rule === "partial_container";
    return { rule, shipmentId: first.shipmentId, containerId: byContainer ? (first.container?.id ?? null) : null };
  }
  return null;
}
