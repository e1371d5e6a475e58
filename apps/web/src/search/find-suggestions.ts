import { nearestNames } from "@svc/domain/search";
import type { Client } from "@svc/sdk";

/** A name that was probably meant by a text which nothing has. */
export interface Suggestion {
  readonly kind: "Port" | "Vessel" | "Customer";
  readonly name: string;
}

/** Of shorter texts, too many names are near. */
const shortest = 5;
const shownOfKind = 2;

/** Ports of the directory, and vessels and customers of the account, with nearly the name that was typed. */
export async function findSuggestions(api: Client, typed: string): Promise<readonly Suggestion[]> {
  if (typed.length < shortest) return [];
  const namesOf = async (by: "vessel" | "customer") =>
    (await api.overviews.countShipments(by)).data.flatMap(({ attributes: { value } }) => value ?? []);
  const portNames = async () =>
    (await api.ports.list({ search: typed }, { format: "mapped" })).items.map(({ name }) => name);
  const [ports, vessels, customers] = await Promise.all([portNames(), namesOf("vessel"), namesOf("customer")]);
  const nearest = (kind: Suggestion["kind"], names: readonly string[]): Suggestion[] =>
    nearestNames(typed, names, shownOfKind).map((name) => ({ kind, name }));
  return [...nearest("Port", ports), ...nearest("Vessel", vessels), ...nearest("Customer", customers)];
}
