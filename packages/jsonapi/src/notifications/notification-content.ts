import type { Instant } from "@svc/domain";
import type { Container, ContainerLinks } from "@svc/domain/containers";
import type { DemurrageCharge } from "@svc/domain/demurrage";
import type { Exception } from "@svc/domain/exceptions";
import type {
  ContainerCreatedEvent,
  ContainerPodTerminalChangedEvent,
  ContainerUpdatedEvent,
  EstimatedEvent,
  ReferenceType,
} from "@svc/domain/notifications";
import type { Shipment } from "@svc/domain/shipments";
import type { TrackingRequest } from "@svc/domain/tracking-requests";
import type { WebhookEventName, WebhookNotice } from "@svc/domain/webhooks";
import { containerResource, withContainerLinks } from "../containers/container-resource.ts";
import { containerDemurrageResource } from "../demurrage/container-demurrage-resource.ts";
import { exceptionResource } from "../exceptions/exception-resource.ts";
import type { AnyResource } from "../resource.ts";
import { shipmentResource } from "../shipments/shipment-resource.ts";
import { trackingRequestResource } from "../tracking-requests/tracking-request-resource.ts";
import { type TransportEventRecord, transportEventResource } from "../transport-events/transport-event-resource.ts";
import { webhookNoticeResource } from "../webhooks/webhook-notice-resource.ts";
import { containerCreatedEventResource } from "./container-created-event-resource.ts";
import { containerPodTerminalChangedEventResource } from "./container-pod-terminal-changed-event-resource.ts";
import { containerUpdatedEventResource } from "./container-updated-event-resource.ts";
import { estimatedEventResource } from "./estimated-event-resource.ts";

/** The content of a notification: the record that it refers to, and the included records. */
export interface NotificationContent {
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  /** The `included` array as JSON text: the record, then its related records. */
  readonly included: string;
}

/** The resources with these ids, in this order. Null and unknown ids are skipped. */
export type RelatedResources = (...ids: readonly (string | null | undefined)[]) => readonly AnyResource[];

function buildContent(reference: AnyResource & { type: ReferenceType }, related: readonly AnyResource[]) {
  return {
    referenceType: reference.type,
    referenceId: reference.id,
    included: JSON.stringify([reference, ...related]),
  } satisfies NotificationContent;
}

/**
 * The included records of each event are defined in docs/contract/reference.md 3.1. Milestones and estimates have the
 * same form.
 */
export function transportEventContent(event: TransportEventRecord, related: RelatedResources): NotificationContent {
  const { containerId, shipmentId, portId, metroAreaId, vesselId, terminalId } = event;
  return buildContent(
    transportEventResource(event),
    related(containerId, shipmentId, portId ?? metroAreaId, vesselId, terminalId),
  );
}

export function estimatedEventContent(event: EstimatedEvent, related: RelatedResources): NotificationContent {
  return buildContent(estimatedEventResource(event), related(event.shipmentId, event.portId, event.vesselId));
}

export function containerCreatedContent(event: ContainerCreatedEvent, related: RelatedResources): NotificationContent {
  return buildContent(containerCreatedEventResource(event), related(event.containerId, event.shipmentId));
}

/** @param portId the port of discharge of the terminal. */
export function containerUpdatedContent(
  event: ContainerUpdatedEvent,
  portId: string | null,
  related: RelatedResources,
): NotificationContent {
  const { containerId, shipmentId, terminalId } = event;
  return buildContent(containerUpdatedEventResource(event), related(containerId, shipmentId, terminalId, portId));
}

export function podTerminalChangedContent(
  event: ContainerPodTerminalChangedEvent,
  related: RelatedResources,
): NotificationContent {
  const { containerId, shipmentId, terminalId } = event;
  return buildContent(containerPodTerminalChangedEventResource(event), related(containerId, shipmentId, terminalId));
}

/** Returns only the notice, because the webhook's record contains its secret. */
export const webhookNoticeContent = (notice: WebhookNotice): NotificationContent =>
  buildContent(webhookNoticeResource(notice), []);

/** The request, its shipment if there is one and, when the shipment was found, its containers. */
export function trackingRequestContent(
  event: WebhookEventName,
  request: TrackingRequest,
  options: {
    /** The containers of the shipment. */
    readonly containerIds: readonly string[];
    readonly related: RelatedResources;
    readonly baseUrl: string;
  },
): NotificationContent {
  const containerIds = event === "tracking_request.succeeded" ? options.containerIds : [];
  return buildContent(
    trackingRequestResource(request, options.baseUrl),
    options.related(request.shipmentId, ...containerIds),
  );
}

/** The exception, then the container, shipment and tracking request that it is about. `now`: of the tracking clock. */
export function exceptionContent(
  exception: Exception,
  records: {
    readonly shipment: Shipment | null;
    readonly container: { readonly record: Container; readonly links: ContainerLinks } | null;
    readonly request: TrackingRequest | null;
    /** E-mail address. */
    readonly owner: string | null;
  },
  { baseUrl, now }: { readonly baseUrl: string; readonly now: Instant },
): NotificationContent {
  const { shipment, container, request, owner } = records;
  return buildContent(exceptionResource(exception, { baseUrl, now, ownerEmail: owner }), [
    ...(container ? [withContainerLinks(containerResource(container.record, baseUrl), container.links)] : []),
    ...(shipment ? [shipmentResource(shipment, baseUrl)] : []),
    ...(request ? [trackingRequestResource(request, baseUrl)] : []),
  ]);
}

/** Returns the charges of the rules for the container, then the container and its shipment. */
export function demurrageContent(
  {
    charges,
    container,
    links,
    shipment,
  }: {
    readonly charges: readonly DemurrageCharge[];
    readonly container: Container;
    readonly links: ContainerLinks;
    readonly shipment: Shipment;
  },
  baseUrl: string,
): NotificationContent {
  return buildContent(containerDemurrageResource(container, charges, baseUrl), [
    withContainerLinks(containerResource(container, baseUrl), links),
    shipmentResource(shipment, baseUrl),
  ]);
}
