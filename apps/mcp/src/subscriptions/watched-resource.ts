import { NotFoundError } from "@svc/sdk";
import type { Caller } from "../api/caller.ts";
import { containerInUri } from "../resources/container-resource.ts";
import { arrivals, shipmentNumberOf } from "../resources/shipment-resource.ts";
import { resolveContainerId, resolveShipmentId } from "../tools/shared/find-record.ts";
import { ToolError } from "../tools/shared/tool-error.ts";

/** A resource in which something may change, by the records whose changes concern it. */
export interface WatchedResource {
  readonly uri: string;
  /** Undefined: any shipment of the account. */
  readonly shipmentId: string | undefined;
  /** The only one of the shipment's containers whose changes count. Undefined: `ofContainers` decides. */
  readonly containerId?: string;
  /** Whether changes of the shipments' containers count. */
  readonly ofContainers: boolean;
}

async function find(uri: string, caller: Caller): Promise<WatchedResource | undefined> {
  // A change of a shipment may bring it into this list or take it out.
  if (uri === arrivals.uri) return { uri, shipmentId: undefined, ofContainers: false };
  const container = containerInUri(uri);
  if (container !== undefined) {
    const { id, relationships } = (await caller.client.containers.get(await resolveContainerId(container, caller)))
      .data;
    return { uri, shipmentId: relationships.shipment.data?.id, containerId: id, ofContainers: true };
  }
  const number = shipmentNumberOf(uri);
  if (number === undefined) return undefined;
  const { id } = (await caller.client.shipments.get(await resolveShipmentId(number, caller))).data;
  return { uri, shipmentId: id, ofContainers: true };
}

/**
 * The record is looked up once, so a number stands for the shipment that it names now. Undefined: the URI names nothing
 * that changes, or nothing in the caller's account. Throws ProtocolError or SvcError when the API cannot answer.
 */
export async function watchedResource(uri: string, caller: Caller): Promise<WatchedResource | undefined> {
  try {
    return await find(uri, caller);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Record that a change of the API is about. */
export interface Subject {
  /** Undefined: a tracking request, which has no shipment yet. */
  readonly shipmentId: string | undefined;
  /** Undefined: the shipment itself. */
  readonly containerId: string | undefined;
}

export function concerns(watched: WatchedResource, { shipmentId, containerId }: Subject): boolean {
  if (shipmentId === undefined) return false;
  if (watched.shipmentId !== undefined && watched.shipmentId !== shipmentId) return false;
  if (containerId === undefined) return true;
  return watched.ofContainers && (watched.containerId ?? containerId) === containerId;
}
