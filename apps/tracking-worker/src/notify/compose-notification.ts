import type { Instant } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import type { Announcement, DerivedContainer, DerivedShipment } from "@svc/domain/derivation";
import type { EstimatedEvent } from "@svc/domain/notifications";
import { arrivesSeparately, type Place } from "@svc/domain/shipments";
import type { ListedTransportEvent, PickupChangeName } from "@svc/domain/transport-events";
import { toWireName, toWireValue } from "@svc/jsonapi";
import {
  containerCreatedContent,
  containerUpdatedContent,
  estimatedEventContent,
  podTerminalChangedContent,
  type RelatedResources,
  transportEventContent,
} from "@svc/jsonapi/notifications";
import { uuidV7 } from "@svc/persistence";
import { type NotificationEvent, timelineKey } from "@svc/persistence/tracking";
import type { NotifiedState } from "./notification-records.ts";
import type { ShipmentUpdate } from "./shipment-update.ts";

export interface ChangeContext {
  readonly update: ShipmentUpdate;
  readonly state: NotifiedState;
  readonly now: Instant;
}

export interface CompositionContext extends ChangeContext {
  readonly resources: RelatedResources;
}

export function eventNameOf(announcement: Announcement): NotificationEvent["event"] {
  switch (announcement.kind) {
    case "container_created":
      return "container.created";
    case "milestone":
      return `container.transport.${announcement.event}`;
    case "container_estimate":
      return `container.transport.estimated.${announcement.event}`;
    case "shipment_estimate":
      return "shipment.estimated.arrival";
    case "pickup_change":
      return `container.${announcement.event}`;
    case "container_updated":
      return "container.updated";
    case "pod_terminal_changed":
      return "container.pod_terminal_changed";
  }
}

/** The transport event of a milestone that was written with these changes; null for other announcements. */
export function milestoneOf({ written }: ShipmentUpdate, announcement: Announcement): ListedTransportEvent | null {
  if (announcement.kind !== "milestone") return null;
  const containerId = written.containers.get(announcement.containerNumber)?.row.id;
  return (containerId && written.events.get(timelineKey(containerId, announcement.milestoneKey))) || null;
}

type AnnouncementOf<Kind extends Announcement["kind"]> = Extract<Announcement, { kind: Kind }>;

/** It is stored as a transport event of the container, with or without a subscriber. */
type ChangeAnnouncement = AnnouncementOf<"container_estimate" | "pickup_change">;

export const isChangeAnnouncement = (announcement: Announcement): announcement is ChangeAnnouncement =>
  announcement.kind === "container_estimate" || announcement.kind === "pickup_change";

/** The transport event of a change; null: its container was deleted. */
export function changeEventOf(announcement: ChangeAnnouncement, context: ChangeContext): ListedTransportEvent | null {
  const container = context.state.containersByNumber.get(announcement.containerNumber);
  if (container === undefined) return null;
  return announcement.kind === "pickup_change"
    ? pickupChange(announcement, container, context)
    : containerEstimate(announcement, container, context);
}

/** The notification of a change event. */
export const composeChangeNotification = (
  announcement: ChangeAnnouncement,
  event: ListedTransportEvent,
  resources: RelatedResources,
): NotificationEvent => ({ event: eventNameOf(announcement), ...transportEventContent(event, resources) });

/**
 * The notification of any other announcement, with the records of docs/contract/reference.md 3.1. Null: its record
 * was deleted.
 */
export function composeNotification(
  announcement: Exclude<Announcement, ChangeAnnouncement>,
  context: CompositionContext,
): NotificationEvent | null {
  const { state } = context;
  if (announcement.kind === "shipment_estimate") return shipmentEstimate(announcement.estimatedAt, context);
  const container = state.containersByNumber.get(announcement.containerNumber);
  if (container === undefined) return null;
  switch (announcement.kind) {
    case "milestone":
      return milestone(announcement, context);
    case "container_created":
    case "container_updated":
    case "pod_terminal_changed":
      return containerChange(announcement, container, context);
  }
}

function milestone(
  announcement: AnnouncementOf<"milestone">,
  { update, resources }: CompositionContext,
): NotificationEvent | null {
  const event = milestoneOf(update, announcement);
  return event === null ? null : { event: eventNameOf(announcement), ...transportEventContent(event, resources) };
}

/** The place of an estimated event, and the derived value that it comes from. */
function estimateOf(
  event: AnnouncementOf<"container_estimate">["event"],
  { shipment }: NotifiedState,
  { attributes }: DerivedShipment,
) {
  switch (event) {
    case "vessel_departed":
      return { place: shipment.portOfLading, source: attributes.polEtdAt, isAtPod: false };
    case "vessel_arrived":
      return { place: shipment.portOfDischarge, source: attributes.podEtaAt, isAtPod: true };
    case "arrived_at_inland_destination":
      return { place: shipment.destination, source: attributes.destinationEtaAt, isAtPod: false };
  }
}

const voyageToPod = (container: Container, { written }: ShipmentUpdate, { shipment }: NotifiedState) =>
  arrivesSeparately(container)
    ? { vesselId: written.separateVesselIds.get(container.number) ?? null, voyageNumber: container.podVoyageNumber }
    : { vesselId: written.podVesselId, voyageNumber: shipment.podVoyageNumber };

const idOfKind = (place: Place | null, kind: Place["kind"]): string | null => (place?.kind === kind ? place.id : null);

/** A transport event that no source reported: it follows from a change of derived values. */
function changeEvent(
  container: Container,
  place: Place | null,
  values: Pick<
    ListedTransportEvent,
    "event" | "occurredAt" | "terminalId" | "terminalKind" | "vesselId" | "voyageNumber" | "dataSource" | "value"
  >,
  now: Instant,
): ListedTransportEvent {
  return {
    ...values,
    id: uuidV7.next(),
    shipmentId: container.shipmentId,
    containerId: container.id,
    timeZone: place?.timeZone ?? null,
    timePrecision: "exact",
    locationLocode: place?.locode ?? null,
    portId: idOfKind(place, "port"),
    metroAreaId: idOfKind(place, "metro_area"),
    previousVersionId: null,
    sourceEventId: null,
    invalidatedAt: null,
    createdAt: now,
  };
}

function containerEstimate(
  announcement: AnnouncementOf<"container_estimate">,
  container: Container,
  { update, state, now }: ChangeContext,
): ListedTransportEvent {
  const { place, source, isAtPod } = estimateOf(announcement.event, state, update.derived);
  const values = {
    event: `estimated.${announcement.event}`,
    occurredAt: announcement.estimatedAt,
    terminalId: null,
    terminalKind: null,
    ...(isAtPod ? voyageToPod(container, update, state) : { vesselId: null, voyageNumber: null }),
    dataSource: source?.dataSource ?? "shipping_line",
    value: null,
  } as const;
  return changeEvent(container, place, values, now);
}

/** A changed deadline or appointment, at the facility that set it: for a railway's, the inland terminal. */
function pickupChange(
  { event: name, value, containerNumber }: AnnouncementOf<"pickup_change">,
  container: Container,
  { update, state, now }: ChangeContext,
): ListedTransportEvent {
  const { attributes } = update.derived.containers.find(({ number }) => number === containerNumber) ?? {};
  const source = attributes?.[pickupFields[name]];
  const isInland = source?.dataSource === "rail";
  const place = isInland ? state.shipment.destination : state.shipment.portOfDischarge;
  const facility = isInland ? container.pickupFacility : null;
  const values = {
    event: name,
    occurredAt: now,
    terminalId: facility?.id ?? container.podTerminalId,
    terminalKind: facility?.kind ?? "terminal",
    vesselId: null,
    voyageNumber: null,
    dataSource: name === "pickup_lfd_line.changed" ? "shipping_line" : (source?.dataSource ?? "terminal"),
    value,
  } as const;
  return changeEvent(container, place, values, now);
}

const pickupFields = {
  "pickup_lfd.changed": "pickupLfd",
  "pickup_lfd_line.changed": "pickupLfdLine",
  "pickup_lfd_terminal.changed": "pickupLfdTerminal",
  "pickup_lfd_rail.changed": "pickupLfdRail",
  "pickup_appointment.changed": "pickupAppointmentAt",
} as const satisfies Readonly<Record<PickupChangeName, keyof DerivedContainer["attributes"]>>;

function shipmentEstimate(
  estimatedAt: Instant,
  { update, state, resources, now }: CompositionContext,
): NotificationEvent {
  const { shipment } = state;
  const { portOfDischarge } = shipment;
  const event: EstimatedEvent = {
    id: uuidV7.next(),
    shipmentId: shipment.id,
    portId: idOfKind(portOfDischarge, "port"),
    vesselId: update.written.podVesselId,
    estimatedAt,
    timeZone: portOfDischarge?.timeZone ?? null,
    locationLocode: portOfDischarge?.locode ?? null,
    voyageNumber: shipment.podVoyageNumber,
    dataSource: update.derived.attributes.podEtaAt?.dataSource ?? "shipping_line",
    createdAt: now,
  };
  return { event: "shipment.estimated.arrival", ...estimatedEventContent(event, resources) };
}

/** The wire form of the container's attribute: unknown holds or fees are an empty list. */
function fieldWireValue(field: string, value: unknown): unknown {
  const isList = field === "holdsAtPodTerminal" || field === "feesAtPodTerminal";
  return toWireValue(value ?? (isList ? [] : null));
}

function containerChange(
  announcement: AnnouncementOf<"container_created" | "container_updated" | "pod_terminal_changed">,
  container: Container,
  { update, state, resources, now }: CompositionContext,
): NotificationEvent {
  const { id: containerId, shipmentId, podTerminalId: terminalId } = container;
  const event = { id: uuidV7.next(), containerId, shipmentId, terminalId, occurredAt: now };
  const dataSource = update.derived.attributes.podTerminal?.dataSource ?? "shipping_line";
  const name = eventNameOf(announcement);
  switch (announcement.kind) {
    case "container_created":
      return { event: name, ...containerCreatedContent(event, resources) };
    case "pod_terminal_changed":
      return { event: name, ...podTerminalChangedContent({ ...event, dataSource }, resources) };
    case "container_updated": {
      // A terminal is its id on the wire, not the name that the carrier uses.
      const changeset = Object.fromEntries(
        Object.entries(announcement.changeset).map(([field, [before, after]]) => [
          toWireName(field),
          field === "podTerminal"
            ? ([update.podTerminalIdBefore, terminalId] as const)
            : ([fieldWireValue(field, before), fieldWireValue(field, after)] as const),
        ]),
      );
      const isByCarrier = Object.keys(announcement.changeset).every((field) => field === "podTerminal");
      const updated = {
        ...event,
        changeset,
        timeZone: container.podTimezone,
        dataSource: isByCarrier ? dataSource : ("terminal" as const),
      };
      const portId = state.shipment.portOfDischarge?.id ?? null;
      return { event: name, ...containerUpdatedContent(updated, portId, resources) };
    }
  }
}
