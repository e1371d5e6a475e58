import type { RouteStop } from "@svc/domain/container-route";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

const mode = z.enum(["vessel", "rail"]).nullable().describe("Mode of transport. Null: by road, or not reported.");

/** docs/contract/reference.md 1.3. Without `links`: it is read with its route and has no URL. */
export const RouteLocationResource = resourceObject(
  "route_location",
  {
    inbound_scac: z.string().nullable(),
    inbound_mode: mode,
    inbound_eta_at: dateTime.nullable(),
    inbound_ata_at: dateTime.nullable(),
    inbound_voyage_number: z.string().nullable(),
    outbound_scac: z.string().nullable(),
    outbound_mode: mode,
    outbound_etd_at: dateTime.nullable(),
    outbound_atd_at: dateTime.nullable(),
    outbound_voyage_number: z.string().nullable(),
    created_at: dateTime.describe("When the place was first reported."),
    updated_at: dateTime.describe("When the place was last reported."),
  },
  {
    route: toOne("route"),
    inbound_vessel: toOneOrNull("vessel"),
    outbound_vessel: toOneOrNull("vessel"),
    location: toOneOrNull("port", "metro_area"),
    facility: toOneOrNull("terminal", "rail_terminal"),
  },
)
  .omit({ links: true })
  .meta({ id: "RouteLocation" });

export type RouteLocationResource = z.infer<typeof RouteLocationResource>;

/** `id` identifies the stop within the account; `routeId` is the container's id. */
export function routeLocationResource(stop: RouteStop, ids: { id: string; routeId: string }): RouteLocationResource {
  const { inbound, outbound, place, facility } = stop;
  return {
    id: ids.id,
    type: "route_location",
    attributes: {
      inbound_scac: inbound?.carrierScac ?? null,
      inbound_mode: inbound?.mode ?? null,
      inbound_eta_at: inbound?.estimatedAt ?? null,
      inbound_ata_at: inbound?.actualAt ?? null,
      inbound_voyage_number: inbound?.voyageNumber ?? null,
      outbound_scac: outbound?.carrierScac ?? null,
      outbound_mode: outbound?.mode ?? null,
      outbound_etd_at: outbound?.estimatedAt ?? null,
      outbound_atd_at: outbound?.actualAt ?? null,
      outbound_voyage_number: outbound?.voyageNumber ?? null,
      created_at: stop.createdAt,
      updated_at: stop.updatedAt,
    },
    relationships: {
      route: linkage("route", ids.routeId),
      inbound_vessel: linkage("vessel", inbound?.vessel?.id ?? null),
      outbound_vessel: linkage("vessel", outbound?.vessel?.id ?? null),
      location: linkage(place?.kind ?? "port", place?.id ?? null),
      facility: linkage(facility?.kind ?? "terminal", facility?.id ?? null),
    },
  };
}
