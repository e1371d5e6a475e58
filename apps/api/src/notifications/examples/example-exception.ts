import type { Instant } from "@svc/domain";
import type { Exception } from "@svc/domain/exceptions";
import { exceptionContent, type NotificationContent } from "@svc/jsonapi/notifications";
import { exampleContainer } from "./example-container.ts";
import { exampleIds, exampleNumber } from "./example-moment.ts";
import { exampleId } from "./example-places.ts";
import { exampleShipment } from "./example-shipment.ts";
import type { ExampleVoyage } from "./example-voyage.ts";

/** A hold of customs on the container, from `openedAt` until now or still in force. */
export function exampleException(voyage: ExampleVoyage, openedAt: Instant, isResolved: boolean): NotificationContent {
  const { now, baseUrl } = voyage;
  const container = exampleContainer(voyage);
  const endedAt = isResolved ? now : null;
  const exception: Exception = {
    id: exampleId(15),
    kind: "customs_hold",
    severity: "critical",
    priority: 12_000,
    number: container.number,
    shipmentNumber: exampleNumber,
    details: { holds: ["customs"] },
    shipmentId: exampleIds.shipment,
    containerId: exampleIds.container,
    trackingRequestId: null,
    openedAt,
    endedAt,
    resolvedAt: endedAt,
    resolution: isResolved ? "cleared" : null,
    ownerUserId: null,
    snoozedUntil: null,
    note: null,
    rowVersion: isResolved ? 2 : 1,
    createdAt: openedAt,
    updatedAt: now,
  };
  const links = { transportEventIds: [], rawEventIds: [] };
  const records = {
    shipment: exampleShipment(voyage),
    container: { record: container, links },
    request: null,
    owner: null,
  };
  return exceptionContent(exception, records, { baseUrl, now });
}
