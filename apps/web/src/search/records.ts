import { normalizeContainerNumber } from "@svc/domain/identifiers";
import { readSearchQuery, searchText } from "@svc/domain/search";
import type { SearchResultResource } from "@svc/sdk";

export function recordPath({ id, attributes }: SearchResultResource): string {
  const { entity_type: kind, shipment_id: shipment, number } = attributes;
  if (kind === "shipment") return `/shipments/${id}`;
  if (kind === "cargo") return shipment ? `/shipments/${shipment}?container=${id}` : `/containers/${id}`;
  return `/tracking-requests?${new URLSearchParams({ number })}`;
}

/** Whether a record has exactly the number or reference that was typed. */
export function matchesNumber({ attributes }: SearchResultResource, input: string): boolean {
  const query = readSearchQuery(input);
  if (query === null) return false;
  const { number, ref_numbers: references } = attributes;
  return (
    (query.number !== "" && normalizeContainerNumber(number) === query.number) ||
    references.some((reference) => searchText(reference) === query.text)
  );
}

/** The only record; or of a shipment and its containers, the only container, else the shipment. */
function findSingleRecord(records: readonly SearchResultResource[]): SearchResultResource | null {
  const [first = null, ...others] = records;
  if (others.length === 0) return first;
  const hasKind = (kind: string) => (record: SearchResultResource) => record.attributes.entity_type === kind;
  const shipment = records.find(hasKind("shipment"));
  const containers = records.filter(hasKind("cargo"));
  const isOneShipment = shipment && containers.every(({ attributes }) => attributes.shipment_id === shipment.id);
  if (!isOneShipment || containers.length !== others.length) return null;
  const [container, ...more] = containers;
  return container && more.length === 0 ? container : shipment;
}

/**
 * The one record that has the text as its whole number or reference, or else the only match of the text.
 * `hasOthers`: the text matches something else than records.
 */
export function onlyMatch(
  results: readonly SearchResultResource[],
  input: string,
  hasOthers: boolean,
): SearchResultResource | null {
  const exactMatches = results.filter((result) => matchesNumber(result, input));
  if (exactMatches.length > 0) return findSingleRecord(exactMatches);
  const [first = null, ...others] = results;
  return hasOthers || others.length > 0 ? null : first;
}
