import type { ReadResourceResult } from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";
import { errorCodes, ProtocolError } from "../protocol/protocol-error.ts";
import { readView } from "../views/views.ts";
import { containerInUri, containerTemplate, readContainer } from "./container-resource.ts";
import { milestoneGlossary, readGlossary } from "./milestone-glossary.ts";
import { arrivals, readArrivals, readShipment, shipmentTemplate } from "./shipment-resource.ts";

/** Resources of docs/contract/specification.md, then those that it does not define. */
export const resources = [milestoneGlossary, arrivals];
export const resourceTemplates = [containerTemplate, shipmentTemplate];

/** Throws ProtocolError for a URI that names nothing here or nothing in the caller's account. */
export async function readResource(uri: string, caller: Caller): Promise<ReadResourceResult> {
  if (uri === milestoneGlossary.uri) return readGlossary();
  const view = readView(uri);
  if (view) return view;
  const named = containerInUri(uri);
  const container = named === undefined ? undefined : await readContainer(named, caller, uri);
  const found = container ?? (uri === arrivals.uri ? await readArrivals(caller) : await readShipment(uri, caller));
  if (found) return found;
  throw new ProtocolError(errorCodes.invalidParams, "Resource not found", { uri });
}
