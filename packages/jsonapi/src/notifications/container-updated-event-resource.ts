import type { ContainerUpdatedEvent } from "@svc/domain/notifications";
import { dataSources } from "@svc/domain/observations";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

/** docs/contract/reference.md 2.5. Only in notifications, so it has no URL. */
export const ContainerUpdatedEventResource = resourceObject(
  "container_updated_event",
  {
    changeset: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).describe("Attribute to [old, new]."),
    timestamp: dateTime,
    timezone: z.string().nullable().describe("IANA time zone name"),
    data_source: z.enum(dataSources),
  },
  { container: toOne("container"), terminal: toOneOrNull("terminal"), shipment: toOne("shipment") },
)
  .omit({ links: true })
  .meta({ id: "ContainerUpdatedEvent" });

export type ContainerUpdatedEventResource = z.infer<typeof ContainerUpdatedEventResource>;

export function containerUpdatedEventResource(event: ContainerUpdatedEvent): ContainerUpdatedEventResource {
  return {
    id: event.id,
    type: "container_updated_event",
    attributes: {
      changeset: Object.fromEntries(
        Object.entries(event.changeset).map(([field, [before, after]]) => [field, [before, after]]),
      ),
      timestamp: event.occurredAt,
      timezone: event.timeZone,
      data_source: event.dataSource,
    },
    relationships: {
      container: linkage("container", event.containerId),
      terminal: linkage("terminal", event.terminalId),
      shipment: linkage("shipment", event.shipmentId),
    },
  };
}
