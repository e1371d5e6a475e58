import { isLocode } from "@svc/domain/identifiers";
import { otherSpellings } from "@svc/domain/search";
import type { Client, OverviewFilters, PageMeta } from "@svc/sdk";
import { formatNumber } from "@svc/views";
import { orNull } from "../http/or-null.ts";
import { findPort, readPort } from "../saved-views/port-choice.ts";
import { readText } from "../saved-views/view-parameters.ts";

const keys = { Vessel: "vessel", Port: "port", Customer: "customer_name", Tag: "tag" } as const;

/** Shipments or containers whose vessel, port, customer or tag has the name that was typed. */
export interface NamedRecords {
  readonly kind: keyof typeof keys;
  readonly name: string;
  /** Kind of the counted records. */
  readonly of: "shipment" | "container";
  /** Number of records, such as "12" or "1,000+". */
  readonly count: string;
  /** The filter of the lists of shipments and containers that shows them. */
  readonly filter: Readonly<Partial<Record<(typeof keys)[keyof typeof keys], string>>>;
}

/** List whose records are counted: its kind and its filters. */
interface CountedList {
  readonly of: NamedRecords["of"];
  readonly within: OverviewFilters;
}

const allShipments: CountedList = { of: "shipment", within: {} };

/** Shorter texts name too much. */
const lengthMin = 3;
/** Maximum length of a tag. */
const lengthMax = 50;
const customersMax = 5;

/** Numbers, references and bookings have digits, as names of ports and customers have not. */
export const looksLikeNumber = (input: string): boolean => /\d/.test(input);

async function findPortByInput(api: Client, input: string) {
  const code = readPort(input);
  const port = await findPort(api, code);
  // A port that only carriers reported, or an inland place: the directory of ports does not list it.
  return port ?? (isLocode(code) ? { locode: code, name: code } : null);
}

/** Vessels, ports, customers and tags of the records with the text as their name or a part of it; none are guesses. */
export async function findNamed(
  api: Client,
  text: string,
  { of, within }: CountedList = allShipments,
): Promise<readonly NamedRecords[]> {
  const input = readText(text, lengthMax).trim().normalize("NFC");
  if (input.length < lengthMin) return [];
  const { overviews } = api;
  const countOf = ({ page }: PageMeta): string =>
    `${formatNumber(page?.total ?? 0)}${page?.total_is_exact === false ? "+" : ""}`;
  const find = async (
    kind: NamedRecords["kind"],
    filter: OverviewFilters,
    { name = input, parameter = input }: { readonly name?: string; readonly parameter?: string } = {},
  ): Promise<readonly NamedRecords[]> => {
    const list = of === "shipment" ? overviews.shipments : overviews.containers;
    const { data, meta } = await list({ filter: { ...within, ...filter }, pageSize: 1 });
    return data.length === 0
      ? []
      : [{ kind, name, of, count: countOf(meta ?? {}), filter: { [keys[kind]]: parameter } }];
  };
  const findByVessel = async () => {
    const found = await find("Vessel", { vessel: [input] });
    if (found.length === 0) return found;
    const count = of === "shipment" ? overviews.countShipments : overviews.countContainers;
    const counted = await orNull(count("vessel", { ...within, vessel: [input] }));
    // Others may have had it as the vessel of an earlier leg: then no one name is that of all.
    const [only, ...others] = counted?.data ?? [];
    const name = others.length === 0 ? only?.attributes.value : null;
    const isTyped = name?.toLowerCase().includes(input.toLowerCase()) === true;
    return found.map((one) => (name && isTyped ? { ...one, name } : one));
  };
  const findByPort = async () => {
    const port = await findPortByInput(api, input);
    if (port === null) return [];
    // The filters are those by port of the two lists.
    const filter = of === "shipment" ? { endPort: [port.locode] } : { port: [port.locode] };
    return find("Port", filter, { name: port.name, parameter: port.locode });
  };
  const findCustomers = async () => {
    const count = of === "shipment" ? overviews.countShipments : overviews.countContainers;
    const { data } = await count("customer", { ...within, customer: [input, ...otherSpellings(input)] });
    return data
      .slice(0, customersMax)
      .flatMap(({ attributes: { value, count } }): NamedRecords[] =>
        value === null
          ? []
          : [{ kind: "Customer", name: value, of, count: formatNumber(count), filter: { customer_name: value } }],
      );
  };
  const found = await Promise.all([findByVessel(), findByPort(), findCustomers(), find("Tag", { tag: [input] })]);
  return found.flat();
}

/** "12 shipments" */
export const recordCountText = ({ count, of }: NamedRecords): string => `${count} ${of}${count === "1" ? "" : "s"}`;
