import { addMs, hourMs, type Instant } from "@svc/domain";
import type { TrackingRequest } from "@svc/domain/tracking-requests";
import { type PickupChangeName, type TransportEventName, transportEventNames } from "@svc/domain/transport-events";
import type { NoticeKind, WebhookEventName } from "@svc/domain/webhooks";
import {
  containerCreatedContent,
  containerUpdatedContent,
  estimatedEventContent,
  type NotificationContent,
  podTerminalChangedContent,
  trackingRequestContent,
  transportEventContent,
  webhookNoticeContent,
} from "@svc/jsonapi/notifications";
import type { TransportEventRecord } from "@svc/jsonapi/transport-events";
import { pickupHours } from "./example-container.ts";
import { exampleException } from "./example-exception.ts";
import { exampleMilestones } from "./example-milestones.ts";
import { exampleIds, requestedHour } from "./example-moment.ts";
import { exampleId, examplePorts, exampleTerminals, exampleVessels, formerTerminalId } from "./example-places.ts";
import { exampleEstimateEvent, exampleMilestoneEvent, examplePickupEvent } from "./example-timeline.ts";
import { type ExampleVoyage, exampleVoyage } from "./example-voyage.ts";

interface Example {
  /** How far the voyage has come, in hours from its departure. */
  readonly hour: number;
  content(voyage: ExampleVoyage): NotificationContent;
}

const onTimeline = (hour: number, event: (voyage: ExampleVoyage) => TransportEventRecord): Example => ({
  hour,
  content: (voyage) => transportEventContent(event(voyage), voyage.related),
});

const pickupChange = (event: PickupChangeName, hour: number): Example =>
  onTimeline(exampleMilestones.vessel_discharged.hour + 1, (voyage) => examplePickupEvent(event, hour, voyage));

const request = (
  event: Extract<WebhookEventName, `tracking_request.${string}`>,
  hour: number,
  change: Partial<TrackingRequest>,
): Example => ({
  hour,
  content: ({ request: made, related, baseUrl }) =>
    trackingRequestContent(event, { ...made, ...change }, { containerIds: [exampleIds.container], related, baseUrl }),
});

const containerEvent = (now: Instant) => ({
  id: exampleId(5),
  containerId: exampleIds.container,
  shipmentId: exampleIds.shipment,
  terminalId: exampleTerminals.port.id,
  occurredAt: now,
  dataSource: "shipping_line" as const,
});

const notice = (kind: NoticeKind, failingHours: number | null, consecutiveFailures: number): Example => ({
  hour: requestedHour,
  content: ({ now }) =>
    webhookNoticeContent({
      id: exampleId(8),
      webhookId: exampleId(9),
      url: "https://receiver.example.com/hook",
      kind,
      reason: kind === "deactivated" ? "failing" : null,
      failingSince: failingHours === null ? null : addMs(now, -failingHours * hourMs),
      consecutiveFailures,
      httpStatus: failingHours === null ? 200 : 503,
      errorClass: failingHours === null ? null : "http_status",
      createdAt: now,
    }),
});

const hourBefore = (event: TransportEventName): number => exampleMilestones[event].hour - 24;
const { losAngeles } = examplePorts;

type MilestoneEvent = `container.transport.${TransportEventName}`;

const otherExamples: Readonly<Record<Exclude<WebhookEventName, MilestoneEvent>, Example>> = {
  "tracking_request.succeeded": request("tracking_request.succeeded", requestedHour, {}),
  "tracking_request.failed": request("tracking_request.failed", requestedHour, {
    status: "failed",
    failedReason: "not_found",
    shipmentId: null,
  }),
  "tracking_request.awaiting_manifest": request("tracking_request.awaiting_manifest", requestedHour, {
    status: "awaiting_manifest",
    shipmentId: null,
  }),
  "tracking_request.tracking_stopped": request(
    "tracking_request.tracking_stopped",
    exampleMilestones.empty_in.hour + 1,
    { status: "tracking_stopped" },
  ),
  "container.transport.estimated.vessel_departed": onTimeline(hourBefore("vessel_departed"), (voyage) =>
    exampleEstimateEvent("estimated.vessel_departed", "vessel_departed", voyage),
  ),
  "container.transport.estimated.vessel_arrived": onTimeline(hourBefore("vessel_arrived"), (voyage) =>
    exampleEstimateEvent("estimated.vessel_arrived", "vessel_arrived", voyage),
  ),
  "container.transport.estimated.arrived_at_inland_destination": onTimeline(
    hourBefore("arrived_at_inland_destination"),
    (voyage) =>
      exampleEstimateEvent("estimated.arrived_at_inland_destination", "arrived_at_inland_destination", voyage),
  ),
  "shipment.estimated.arrival": {
    hour: hourBefore("vessel_arrived"),
    content: ({ now, at, related }) =>
      estimatedEventContent(
        {
          id: exampleId(6),
          shipmentId: exampleIds.shipment,
          portId: losAngeles.id,
          vesselId: exampleVessels.mother.id,
          estimatedAt: at(exampleMilestones.vessel_arrived.hour),
          timeZone: losAngeles.timeZone,
          locationLocode: losAngeles.locode,
          voyageNumber: exampleMilestones.vessel_arrived.voyageNumber ?? null,
          dataSource: "shipping_line",
          createdAt: now,
        },
        related,
      ),
  },
  "container.created": {
    hour: requestedHour,
    content: ({ now, related }) => containerCreatedContent(containerEvent(now), related),
  },
  "container.updated": {
    hour: hourBefore("vessel_arrived"),
    content: ({ now, related }) =>
      containerUpdatedContent(
        {
          ...containerEvent(now),
          changeset: { pod_terminal: [formerTerminalId, exampleTerminals.port.id] },
          timeZone: losAngeles.timeZone,
        },
        losAngeles.id,
        related,
      ),
  },
  "container.pod_terminal_changed": {
    hour: hourBefore("vessel_arrived"),
    content: ({ now, related }) => podTerminalChangedContent(containerEvent(now), related),
  },
  "container.pickup_lfd.changed": pickupChange("pickup_lfd.changed", pickupHours.line),
  "container.pickup_lfd_line.changed": pickupChange("pickup_lfd_line.changed", pickupHours.line),
  "container.pickup_lfd_terminal.changed": pickupChange("pickup_lfd_terminal.changed", pickupHours.terminal),
  "container.pickup_lfd_rail.changed": pickupChange("pickup_lfd_rail.changed", pickupHours.rail),
  "container.pickup_appointment.changed": pickupChange("pickup_appointment.changed", pickupHours.appointment),
  "exception.opened": {
    hour: exampleMilestones.vessel_discharged.hour + 1,
    content: (voyage) => exampleException(voyage, voyage.now, false),
  },
  "exception.resolved": {
    hour: exampleMilestones.vessel_discharged.hour + 25,
    content: (voyage) => exampleException(voyage, addMs(voyage.now, -24 * hourMs), true),
  },
  "webhook.failing": notice("failing", 24, 11),
  "webhook.deactivated": notice("deactivated", 73, 24),
  "webhook.recovered": notice("recovered", null, 0),
};

const milestoneNames: ReadonlyMap<string, TransportEventName> = new Map(
  transportEventNames.map((name) => [`container.transport.${name}` satisfies MilestoneEvent, name]),
);

function exampleOf(event: WebhookEventName): Example {
  const name = milestoneNames.get(event);
  return name === undefined
    ? otherExamples[event as keyof typeof otherExamples]
    : onTimeline(exampleMilestones[name].hour, (voyage) => exampleMilestoneEvent(name, voyage));
}

/** What a notification of the event says when it happens at this moment, with everything that belongs to it. */
export function exampleContent(event: WebhookEventName, now: Instant, baseUrl: string): NotificationContent {
  const { hour, content } = exampleOf(event);
  return content(exampleVoyage(now, hour, baseUrl));
}
