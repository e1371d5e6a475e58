import type { ContainerCreatedEvent } from "@svc/domain";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne } from "../resource.ts";

/** docs/contract/reference.md 2.5. Told in notifications only, so it has no address. */
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
    // The record came to be in our system, not at a place: its zone is UTC.
    attributes: { timestamp: event.occurredAt, timezone: "Etc/UTC" },
    relationships: {
      container: linkage("container", event.containerId),
      shipment: linkage("shipment", event.shipmentId),
    },
  };
}
