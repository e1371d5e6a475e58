import { looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import type { Client, SearchResultResource } from "@svc/sdk";

/** Two digits that changed places differ at two places. */
const differencesMax = 2;
/** Parts of a container number, of which one is right wherever two neighbours are mistyped. The longest finds least. */
const parts = [
  [0, 8],
  [0, 6],
  [7, 11],
] as const;

function differences(one: string, other: string): number {
  return [...one].filter((character, at) => character !== other[at]).length;
}

/** Containers whose number differs from a mistyped one in one digit, or in two digits that changed places. */
export async function findSimilar(api: Client, input: string): Promise<readonly SearchResultResource[]> {
  const number = normalizeContainerNumber(input);
  if (!looksLikeContainerNumber(number)) return [];
  const found = await Promise.all(parts.map(([from, to]) => api.search(number.slice(from, to))));
  const containers = found
    .flatMap(({ data }) => data)
    .filter(({ attributes: { entity_type: kind, number: other } }) => {
      return kind === "cargo" && other.length === number.length && differences(number, other) <= differencesMax;
    });
  return [...new Map(containers.map((one) => [one.id, one])).values()];
}
