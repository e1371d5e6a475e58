import { NotFoundError } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { quotedValue } from "../../text/clean-text.ts";
import { findTracked } from "./find-tracked.ts";
import { adviceFor } from "./number-advice.ts";
import { ToolError } from "./tool-error.ts";

const uuid = z.uuid();
const numbersMax = 8;

function notTracked(what: "container" | "shipment", input: string): ToolError {
  const message = `No ${what} is tracked under ${quotedValue(input)}. ${adviceFor(input)}`;
  return new ToolError({ code: "not_found", message });
}

async function loadContainers(shipmentId: string, { client }: Caller): Promise<{ id: string; number: string }[]> {
  const { data } = await client.overviews.containers({
    filter: { shipment: shipmentId },
    pageSize: 100,
    sort: "number",
  });
  return data.map(({ id, attributes }) => ({ id, number: attributes.container_number }));
}

/** The id of the container that is meant by an id, number or reference. Throws ToolError when none or several are. */
export async function resolveContainerId(input: string, caller: Caller): Promise<string> {
  if (uuid.safeParse(input).success) return input.toLowerCase();
  const { matches } = await findTracked(input, caller);
  const exact = matches.find(({ match }) => match === "container_exact");
  if (exact?.container_id) return exact.container_id;
  const shipment = matches.find(
    ({ match, shipment_id }) => shipment_id && (match === "shipment_exact" || match === "reference"),
  );
  const inShipment = shipment?.shipment_id ? await loadContainers(shipment.shipment_id, caller) : [];
  const [only, ...others] = inShipment;
  if (only && others.length === 0) return only.id;
  if (only === undefined) throw notTracked("container", input);
  const numbers = inShipment.slice(0, numbersMax).map(({ number }) => number);
  const more = inShipment.length > numbersMax ? ` and ${inShipment.length - numbersMax} more` : "";
  const message = `${quotedValue(input)} has ${inShipment.length} containers: ${numbers.join(", ")}${more}. Call again with id=${only.number}, or list_containers(shipment).`;
  throw new ToolError({ code: "ambiguous", message });
}

/** Finds a shipment by id, by its number or a container's, or by a reference. Throws ToolError. */
export async function resolveShipmentId(input: string, caller: Caller): Promise<string> {
  if (uuid.safeParse(input).success) return input.toLowerCase();
  const { matches } = await findTracked(input, caller);
  const exactMatches = matches.filter(({ match }) => !match.endsWith("_partial") && match !== "tracking_request");
  const ids = [...new Set(exactMatches.flatMap(({ shipment_id }) => shipment_id ?? []))];
  const [first] = ids;
  if (first === undefined) throw notTracked("shipment", input);
  const isReference = exactMatches.every(({ match }) => match === "reference");
  if (!isReference || ids.length === 1) return first;
  const bills = exactMatches.flatMap(({ bill_of_lading_number: bill }) => bill ?? []).slice(0, numbersMax);
  const message = `${quotedValue(input)} is a reference of ${ids.length} shipments: ${bills.join(", ")}. Call again with one of these, or list_shipments(reference).`;
  throw new ToolError({ code: "ambiguous", message });
}

/** Why an id is not found: it may be the id of the other kind. */
export async function createOtherKindError(
  id: string,
  kind: "container" | "shipment",
  caller: Caller,
): Promise<ToolError> {
  const other = kind === "container" ? "shipment" : "container";
  const read = kind === "container" ? caller.client.shipments.get : caller.client.containers.get;
  const isOther = await read(id).then(
    () => true,
    () => false,
  );
  const tool = other === "shipment" ? "get_shipment_details" : "get_container";
  const message = isOther
    ? `${id} is the id of a ${other}, not of a ${kind}. Call ${tool}(id).`
    : `No ${kind} ${id} in this account. Use its number instead of an id, or find it with search_container(query).`;
  return new ToolError({ code: "not_found", message });
}

interface Wanted {
  readonly id: string;
  readonly kind: "container" | "shipment";
  readonly caller: Caller;
}

/** Reads the record of an id. Throws a ToolError that explains why there is none. */
export async function readOrExplain<T>({ id, kind, caller }: Wanted, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof NotFoundError ? await createOtherKindError(id, kind, caller) : error;
  }
}
