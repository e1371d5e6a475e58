import type { ContainerCreatedEvent } from "@svc/domain/notifications";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne } from "../resource.ts";

/** docs/contract/reference.md 2.5. Only in notifications, so it has no URL. */
export const ContainerCreatedEventResource = resourceObject(
  "container_created_event",
  { timestamp: dateTime, timezone: z.string().describe("IANA time zone name") },
  { container: toOne("container"), shipment: toOne("shipment") },
)
  .omit({ links: true })
  .meta({ id: "ContainerCreatedEvent" });

export type ContainerCreatedEventResource = z.infer<typeof ContainerCreatedEventResource>;

export function containerCreatedEventResource(event: ContainerCreatedEvent): ContainerCreatedEventResource {
  return {
    id: event.id,
    type: "container_created_event",
    // The record was created in this service, not at a place, so its time zone is UTC.
    attributes: { timestamp: event.occurredAt, timezone: "Etc/UTC" },
    relationships: {
      container: linkage("container", event.containerId),
      shipment: linkage("shipment", event.shipmentId),
    },
  };
}
