import type { ContainerPodTerminalChangedEvent } from "@svc/domain/notifications";
import { dataSources } from "@svc/domain/observations";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

/** docs/contract/reference.md 2.5. Only in notifications, so it has no URL. */
export const ContainerPodTerminalChangedEventResource = resourceObject(
  "container_pod_terminal_changed_event",
  { timestamp: dateTime, data_source: z.enum(dataSources) },
  { container: toOne("container"), shipment: toOne("shipment"), terminal: toOneOrNull("terminal") },
)
  .omit({ links: true })
  .meta({ id: "ContainerPodTerminalChangedEvent" });

export type ContainerPodTerminalChangedEventResource = z.infer<typeof ContainerPodTerminalChangedEventResource>;

export function containerPodTerminalChangedEventResource(
  event: ContainerPodTerminalChangedEvent,
): ContainerPodTerminalChangedEventResource {
  return {
    id: event.id,
    type: "container_pod_terminal_changed_event",
    attributes: { timestamp: event.occurredAt, data_source: event.dataSource },
    relationships: {
      container: linkage("container", event.containerId),
      shipment: linkage("shipment", event.shipmentId),
      terminal: linkage("terminal", event.terminalId),
    },
  };
}
