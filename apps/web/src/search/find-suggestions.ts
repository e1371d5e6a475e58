import { nearestNames } from "@svc/domain/search";
import type { Client } from "@svc/sdk";
import { readCustomerNames } from "../customers/customer-names.ts";

/** A name that was probably meant by a text which nothing has. */
export interface Suggestion {
  readonly kind: "Port" | "Vessel" | "Customer";
  readonly name: string;
}

/** Minimum length of a text: shorter ones are similar to too many names. */
const lengthMin = 5;
const perKindMax = 2;

/** Shipments whose vessels are compared: a larger account does not make a search slower. */
const newestShipments = 100;

/** Finds ports of the directory, and recent vessels and customers, with nearly the name that was typed. */
export async function findSuggestions(api: Client, input: string): Promise<readonly Suggestion[]> {
  if (input.length < lengthMin) return [];
  const vesselNames = async () =>
    (await api.overviews.shipments({ sort: "-created_at", pageSize: newestShipments })).data.flatMap(
      ({ attributes }) => attributes.vessel_name ?? [],
    );
  const portNames = async () =>
    (await api.ports.list({ search: input }, { format: "mapped" })).items.map(({ name }) => name);
  const [ports, vessels, customers] = await Promise.all([portNames(), vesselNames(), readCustomerNames(api)]);
  const nearest = (kind: Suggestion["kind"], names: readonly string[]): Suggestion[] =>
    nearestNames(input, names, perKindMax).map((name) => ({ kind, name }));
  return [...nearest("Port", ports), ...nearest("Vessel", vessels), ...nearest("Customer", customers)];
}
