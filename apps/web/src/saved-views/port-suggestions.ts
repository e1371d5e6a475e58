import { isLocode } from "@svc/domain/identifiers";
import type { Client, ShipmentOverviewResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { orNull } from "../http/or-null.ts";
import { findOnlyPort } from "./port-choice.ts";

/** A place by its UN/LOCODE. */
type NamedPlace = readonly [locode: string | null, name: string | null];

type Places = Pick<
  ShipmentOverviewResource["attributes"],
  "pol_locode" | "pol_name" | "pod_locode" | "pod_name" | "destination_locode" | "destination_name"
>;

/** The places of the journeys of shipments or containers. */
export const placesOf = (items: readonly { readonly attributes: Places }[]): NamedPlace[] =>
  items.flatMap(({ attributes }) => [
    [attributes.pol_locode, attributes.pol_name],
    [attributes.pod_locode, attributes.pod_name],
    [attributes.destination_locode, attributes.destination_name],
  ]);

/** The list `ports` for inputs of a port, which have the attribute `list`. */
export const portSuggestions = (places: readonly NamedPlace[]): Html =>
  html`<datalist id="ports">${[...new Map(places)].map(
    ([locode, name]) => locode !== null && html`<option value="${locode}">${name}</option>`,
  )}</datalist>`;

const suggestedShipments = 100;

/** The places of the newest shipments; none if the API is not available, because a form needs none. */
export async function readPlaces(api: Client): Promise<NamedPlace[]> {
  const shipments = await orNull(api.overviews.shipments({ pageSize: suggestedShipments }));
  return placesOf(shipments?.data ?? []);
}

/**
 * The UN/LOCODE of the port that a form names: by its code, its name, or the only name that begins with the text. Other
 * text is returned as it is.
 */
export async function locodeOf(api: Client, input: string): Promise<string> {
  return input === "" ? "" : ((await findOnlyPort(api, input))?.locode ?? input);
}

/** The problem of a field whose text names no port, or could not be looked up; null: it may be a UN/LOCODE. */
export const portProblem = (port: string): string | null =>
  port === "" || isLocode(port) ? null : `No single port was found for “${port}”. Enter another name or a UN/LOCODE.`;
