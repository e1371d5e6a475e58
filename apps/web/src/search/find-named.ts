import type { Client, PageMeta, ShipmentOverviewFilters } from "@svc/sdk";
import { findPort, isLocode, readPort } from "../saved-views/port-choice.ts";
import { readText } from "../saved-views/view-parameters.ts";

/** Shipments whose vessel, port, customer or tag has the name that was typed. */
export interface NamedShipments {
  readonly kind: "Vessel" | "Port" | "Customer" | "Tag";
  readonly name: string;
  /** For example "12" or "1,000+". */
  readonly count: string;
  /** The parameters of the lists of shipments and containers that show them. */
  readonly query: string;
}

/** Shorter texts name too much. */
const shortest = 3;
/** Maximum length of a tag. */
const longest = 50;
const customersShown = 5;

/** Numbers, references and bookings have digits, as names of ports and customers have not. */
export const looksLikeNumber = (typed: string): boolean => /\d/.test(typed);

const numbers = new Intl.NumberFormat("en-GB");

async function findTypedPort(api: Client, typed: string) {
  const code = readPort(typed);
  return isLocode(code) ? { locode: code, name: code } : findPort(api, code);
}

/** Vessels, ports, customers and tags of shipments with the text as their name or a part of it; none are guesses. */
export async function findNamed(api: Client, text: string): Promise<readonly NamedShipments[]> {
  const typed = readText(text, longest).trim().normalize("NFC");
  if (typed.length < shortest) return [];
  const countOf = ({ page }: PageMeta): string =>
    `${numbers.format(page?.total ?? 0)}${page?.total_is_exact === false ? "+" : ""}`;
  const find = async (
    kind: NamedShipments["kind"],
    filter: ShipmentOverviewFilters,
    { name = typed, parameter = typed }: { readonly name?: string; readonly parameter?: string } = {},
  ): Promise<readonly NamedShipments[]> => {
    const { data, meta } = await api.overviews.shipments({ filter, pageSize: 1 });
    const query = String(new URLSearchParams({ [kind.toLowerCase()]: parameter }));
    return data.length === 0 ? [] : [{ kind, name, count: countOf(meta ?? {}), query }];
  };
  const findByPort = async () => {
    const port = await findTypedPort(api, typed);
    return port === null ? [] : find("Port", { endPort: [port.locode] }, { name: port.name, parameter: port.locode });
  };
  const findCustomers = async () => {
    const { data } = await api.overviews.countShipments("customer", { customer: [typed] });
    return data.slice(0, customersShown).flatMap(({ attributes: { value, count } }): NamedShipments[] => {
      const query = String(new URLSearchParams({ customer: value ?? "" }));
      return value === null ? [] : [{ kind: "Customer", name: value, count: numbers.format(count), query }];
    });
  };
  const found = await Promise.all([
    find("Vessel", { vessel: [typed] }),
    findByPort(),
    findCustomers(),
    find("Tag", { tag: [typed] }),
  ]);
  return found.flat();
}

/** "12 shipments" */
export const countText = ({ count }: NamedShipments): string => `${count} ${count === "1" ? "shipment" : "shipments"}`;
