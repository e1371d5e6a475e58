import { editDistance, nearestPlaces } from "@svc/domain/search";
import { NotFoundError } from "@svc/sdk";
import type { Caller } from "../../api/caller.ts";

const nearestMax = 3;

/** Returns the codes with the fewest edits, without those that have nothing in common. */
function nearest(searchText: string, known: readonly string[]): string[] {
  const upperCased = searchText.toUpperCase();
  return known
    .map((code) => ({ code, edits: editDistance(upperCased, code.toUpperCase()) }))
    .filter(({ code, edits }) => edits <= Math.ceil(upperCased.length / 2) || code.toUpperCase().includes(upperCased))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, nearestMax)
    .map(({ code }) => code);
}

const orNone = (names: readonly string[], lead: string) => (names.length > 0 ? ` ${lead} ${names.join(", ")}.` : "");

async function exists(read: Promise<unknown>): Promise<boolean> {
  return read.then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFoundError) return false;
      throw error;
    },
  );
}

async function loadValues(
  by: "port" | "carrier" | "customer" | "vessel" | "tag",
  { client }: Caller,
): Promise<string[]> {
  const { data } = await client.overviews.countShipments(by);
  return data.flatMap(({ attributes }) => attributes.value ?? []);
}

/** Finds the nearest ports in the whole directory: the port of a first shipment is new to the account. */
async function nearestPorts(locode: string, { client }: Caller): Promise<string[]> {
  const found = await Promise.all([client.ports.list({ search: locode }), client.metroAreas.list({ search: locode })]);
  const places = found.flatMap(({ data }) =>
    data.map(({ attributes: place }) => ({
      locode: place.code,
      name: place.name,
      city: "city" in place ? place.city : null,
    })),
  );
  return nearestPlaces(locode, places, nearestMax).map((place) => `${place.locode} (${place.name})`);
}

async function portProblem(locode: string, caller: Caller): Promise<string | undefined> {
  const { client } = caller;
  if ((await exists(client.ports.get(locode))) || (await exists(client.metroAreas.get(locode)))) return undefined;
  const near = await nearestPorts(locode, caller);
  const own = near.length === 0 ? await loadValues("port", caller) : [];
  const hint = orNone(near, "Nearest:") || orNone(own.slice(0, 5), "Your ports of discharge:");
  return `${locode} is not a UN/LOCODE that is known here.${hint}`;
}

async function carrierProblem(scac: string, caller: Caller): Promise<string | undefined> {
  const { data } = await caller.client.shippingLines.list();
  const lines = data.map(({ attributes }) => attributes);
  if (lines.some((line) => line.scac === scac || line.alternative_scacs.includes(scac))) return undefined;
  const known = lines.map((line) => line.scac);
  return `${scac} is not the SCAC of a shipping line that is known here.${orNone(nearest(scac, known), "Nearest:")} Find it with get_supported_shipping_lines(search).`;
}

async function nameProblem(
  by: "customer" | "vessel" | "tag",
  searchText: string,
  caller: Caller,
): Promise<string | undefined> {
  const known = await loadValues(by, caller);
  if (known.some((name) => name.toLowerCase().includes(searchText.toLowerCase()))) return undefined;
  const examples = known.slice(0, 5).map((name) => JSON.stringify(name));
  return `No shipment has such a ${by}.${orNone(examples, "Existing values:")}`;
}

/** Arguments that are not filters. */
const notFilters = ["page", "page_size", "sort", "summary"];

interface Filters {
  readonly port?: string | undefined;
  readonly transshipment_port?: string | undefined;
  readonly carrier?: string | undefined;
  readonly customer?: string | undefined;
  readonly vessel?: string | undefined;
  readonly tag?: string | undefined;
}

/** Explains why a list is empty: distinguishes an unknown code or name from one that matches no record. */
export async function explainEmptyList(filters: Filters, caller: Caller): Promise<string> {
  const { port, transshipment_port: via, carrier, customer, vessel, tag } = filters;
  const problems = await Promise.all([
    port && portProblem(port, caller),
    via && portProblem(via, caller),
    carrier && carrierProblem(carrier, caller),
    customer && nameProblem("customer", customer, caller),
    vessel && nameProblem("vessel", vessel, caller),
    tag && nameProblem("tag", tag, caller),
  ]);
  const found = problems.filter(Boolean);
  if (found.length > 0) return found.join(" ");
  const isNarrowed = Object.entries(filters).some(([name, value]) => value !== undefined && !notFilters.includes(name));
  return isNarrowed
    ? "Every filter is valid; call again with fewer of them."
    : "Nothing is tracked yet: start with track_container(numbers), and see list_tracking_requests for what is requested.";
}
