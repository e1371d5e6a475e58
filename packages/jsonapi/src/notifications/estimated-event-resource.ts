import type { EstimatedEvent } from "@svc/domain/notifications";
import { dataSources } from "@svc/domain/observations";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

/** docs/contract/reference.md 2.5. Only in notifications, so it has no URL. */
export const EstimatedEventResource = resourceObject(
  "estimated_event",
  {
    event: z.literal("shipment.estimated.arrival"),
    estimated_timestamp: dateTime,
    timezone: z.string().nullable().describe("IANA time zone name"),
    location_locode: z.string().nullable().describe("UN/LOCODE"),
    voyage_number: z.string().nullable(),
    data_source: z.enum(dataSources),
    created_at: dateTime,
  },
  { shipment: toOne("shipment"), port: toOneOrNull("port"), vessel: toOneOrNull("vessel") },
)
  .omit({ links: true })
  .meta({ id: "EstimatedEvent" });

export type EstimatedEventResource = z.infer<typeof EstimatedEventResource>;

export function estimatedEventResource(event: EstimatedEvent): EstimatedEventResource {
  return {
    id: event.id,
    type: "estimated_event",
    attributes: {
      event: "shipment.estimated.arrival",
      estimated_timestamp: event.estimatedAt,
      timezone: event.timeZone,
      location_locode: event.locationLocode,
      voyage_number: event.voyageNumber,
      data_source: event.dataSource,
      created_at: event.createdAt,
    },
    relationships: {
      shipment: linkage("shipment", event.shipmentId),
      port: linkage("port", event.portId),
      vessel: linkage("vessel", event.vesselId),
    },
  };
}
