import type { Instant } from "@svc/domain";
import type { z } from "zod";
import { dateTime, linkage, resourceObject, toMany, toOne } from "../resource.ts";

/** docs/contract/reference.md 1.3. Its id is that of the container, which has one route. */
export const RouteResource = resourceObject(
  "route",
  { created_at: dateTime, updated_at: dateTime },
  { cargo: toOne("container"), shipment: toOne("shipment"), route_locations: toMany("route_location") },
).meta({ id: "Route" });

export type RouteResource = z.infer<typeof RouteResource>;

export interface RouteRecord {
  readonly containerId: string;
  readonly shipmentId: string;
  /** Ids of route locations in journey order. */
  readonly locationIds: readonly string[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export function routeResource(route: RouteRecord, baseUrl: string): RouteResource {
  return {
    id: route.containerId,
    type: "route",
    attributes: { created_at: route.createdAt, updated_at: route.updatedAt },
    relationships: {
      cargo: linkage("container", route.containerId),
      shipment: linkage("shipment", route.shipmentId),
      route_locations: { data: route.locationIds.map((id) => ({ type: "route_location", id })) },
    },
    links: { self: `${baseUrl}/containers/${route.containerId}/route` },
  };
}
