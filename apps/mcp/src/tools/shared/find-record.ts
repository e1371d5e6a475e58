import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { quotedValue } from "../../text/clean-text.ts";
import { findTracked } from "./find-tracked.ts";
import { adviceFor } from "./number-advice.ts";
import { ToolError } from "./tool-error.ts";

const uuid = z.uuid();
const numbersShown = 8;

function notTracked(what: "container" | "shipment", typed: string): ToolError {
  const message = `No ${what} is tracked under ${quotedValue(typed)}. ${adviceFor(typed)}`;
  return new ToolError({ code: "not_found", message });
}

async function containersOf(shipmentId: string, { client }: Caller): Promise<{ id: string; number: string }[]> {
  const { data } = await client.overviews.containers({
    filter: { shipment: shipmentId },
    pageSize: 100,
    sort: "number",
  });
  return data.map(({ id, attributes }) => ({ id, number: attributes.container_number }));
}

/** The id of the container that is meant by an id, number or reference. Throws ToolError when none or several are. */
export async function containerIdOf(typed: string, caller: Caller): Promise<string> {
  if (uuid.safeParse(typed).success) return typed.toLowerCase();
  const { matches } = await findTracked(typed, caller);
  const exact = matches.find(({ match }) => match === "container_exact");
  if (exact?.container_id) return exact.container_id;
  const shipment = matches.find(
    ({ match, shipment_id }) => shipment_id && (match === "shipment_exact" || match === "reference"),
  );
  const inShipment = shipment?.shipment_id ? await containersOf(shipment.shipment_id, caller) : [];
  const [only, ...others] = inShipment;
  if (only && others.length === 0) return only.id;
  if (only === undefined) throw notTracked("container", typed);
  const numbers = inShipment.slice(0, numbersShown).map(({ number }) => number);
  const more = inShipment.length > numbersShown ? ` and ${inShipment.length - numbersShown} more` : "";
  const message = `${quotedValue(typed)} has ${inShipment.length} containers: ${numbers.join(", ")}${more}. Call again with id=${only.number}, or list_containers(shipment).`;
  throw new ToolError({ code: "ambiguous", message });
}

/** Finds a shipment by id, by its number or a container's, or by a reference. Throws ToolError. */
export async function shipmentIdOf(typed: string, caller: Caller): Promise<string> {
  if (uuid.safeParse(typed).success) return typed.toLowerCase();
  const { matches } = await findTracked(typed, caller);
  const wanted = matches.filter(({ match }) => !match.endsWith("_partial") && match !== "tracking_request");
  const ids = [...new Set(wanted.flatMap(({ shipment_id }) => shipment_id ?? []))];
  const [first] = ids;
  if (first === undefined) throw notTracked("shipment", typed);
  const isReference = wanted.every(({ match }) => match === "reference");
  if (!isReference || ids.length === 1) return first;
  const bills = wanted.flatMap(({ bill_of_lading_number: bill }) => bill ?? []).slice(0, numbersShown);
  const message = `${quotedValue(typed)} is a reference of ${ids.length} shipments: ${bills.join(", ")}. Call again with one of these, or list_shipments(reference).`;
  throw new ToolError({ code: "ambiguous", message });
}

/** Why an id is not found: it may be the id of the other kind. */
export async function otherKindOf(id: string, kind: "container" | "shipment", caller: Caller): Promise<ToolError> {
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
