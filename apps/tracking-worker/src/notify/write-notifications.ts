import type { Announcement } from "@svc/domain/derivation";
import type { ListedTransportEvent } from "@svc/domain/transport-events";
import { type RelatedResources, trackingRequestContent } from "@svc/jsonapi/notifications";
import {
  findSubscriptions,
  type NotificationEvent,
  type SubjectState,
  type Subscriptions,
  writeChangeEvents,
  writeNotificationEvents,
} from "@svc/persistence/tracking";
import type { PollEffects, PollTransaction, RequestUpdate } from "../apply/poll-transaction.ts";
import {
  changeEventOf,
  composeChangeNotification,
  composeNotification,
  eventNameOf,
  isChangeAnnouncement,
  milestoneOf,
} from "./compose-notification.ts";
import { linksOf, type NotifiedState, notifiedState, relatedResources, subjectIdOf } from "./notification-records.ts";
import type { ShipmentUpdate } from "./shipment-update.ts";

/**
 * Writes the notification events of a poll, with the records after it.
 * @param subject after the poll.
 * @returns the number of events.
 */
export async function writeNotifications(
  poll: PollTransaction,
  effects: PollEffects,
  subject: SubjectState,
): Promise<number> {
  const { sql, claim, context, now } = poll;
  const { requestUpdates, shipmentUpdate } = effects;
  if (requestUpdates.length === 0 && (shipmentUpdate?.announcements.length ?? 0) === 0) return 0;
  const subscriptions = await findSubscriptions(sql, claim.accountId);
  const requests = requestUpdates.filter(({ event }) => subscriptions.hasSubscriber(event));
  const notified = withNotified(shipmentUpdate, subscriptions);
  if (requests.length === 0 && notified === null) return 0;
  const state = await notifiedState(poll, effects, subject);
  const announced = notified && state ? await recordChangeEvents(poll, notified, state) : [];
  const resources = state
    ? await includedResources(poll, { state, update: shipmentUpdate, notified, announced })
    : null;
  const events = [
    ...requests.map((item) => composeRequestNotification(item, state, resources, context.baseUrl)),
    ...(notified && state && resources
      ? announced.flatMap((one) => compose(one, { update: notified, state, resources, now }, subscriptions))
      : []),
  ];
  await writeNotificationEvents(sql, claim.accountId, events, subscriptions, now);
  return events.length;
}

/** Keeps announcements with a subscriber, and those that are stored as transport events in any case. */
function withNotified(update: ShipmentUpdate | undefined, subscriptions: Subscriptions): ShipmentUpdate | null {
  const announcements =
    update?.announcements.filter((one) => isChangeAnnouncement(one) || subscriptions.hasSubscriber(eventNameOf(one))) ??
    [];
  return update === undefined || announcements.length === 0 ? null : { ...update, announcements };
}

/** `event`: the transport event of the announcement; null: it has none, or only a milestone. */
interface Announced {
  readonly announcement: Announcement;
  readonly event: ListedTransportEvent | null;
}

/** Stores the change events, so that every `reference_object` can be read. */
async function recordChangeEvents(
  { sql, claim, now }: PollTransaction,
  update: ShipmentUpdate,
  state: NotifiedState,
): Promise<readonly Announced[]> {
  const announced = update.announcements.map((announcement) => ({
    announcement,
    event: isChangeAnnouncement(announcement) ? changeEventOf(announcement, { update, state, now }) : null,
  }));
  await writeChangeEvents(
    sql,
    claim.accountId,
    announced.flatMap(({ event }) => event ?? []),
  );
  return announced;
}

/** The records that the notifications include. Created containers and requests include no reference data. */
function includedResources(
  poll: PollTransaction,
  {
    state,
    update,
    notified,
    announced,
  }: {
    readonly state: NotifiedState;
    readonly update: ShipmentUpdate | undefined;
    readonly notified: ShipmentUpdate | null;
    readonly announced: readonly Announced[];
  },
): Promise<RelatedResources> {
  const changeEvents = announced.flatMap(({ event }) => event ?? []);
  const milestones = announced.flatMap(({ announcement }) => (notified && milestoneOf(notified, announcement)) ?? []);
  const { portOfDischarge, podTerminal } = state.shipment;
  const withPlaces = announced.some(({ announcement: { kind } }) => kind !== "container_created");
  const referenceIds = [
    ...(withPlaces ? [portOfDischarge?.id, podTerminal?.id, notified?.written.podVesselId] : []),
    ...[...milestones, ...changeEvents].flatMap(({ portId, metroAreaId, terminalId, vesselId }) => [
      portId,
      metroAreaId,
      terminalId,
      vesselId,
    ]),
  ];
  const observed = { known: update?.known ?? [], subjectId: subjectIdOf(poll) };
  return relatedResources(
    poll.sql,
    state,
    (container) =>
      linksOf(container, update?.written.containers.get(container.number)?.eventIds ?? [], changeEvents, observed),
    referenceIds,
    poll.context.baseUrl,
  );
}

function compose(
  { announcement, event }: Announced,
  context: Parameters<typeof composeNotification>[1],
  subscriptions: Subscriptions,
): readonly NotificationEvent[] {
  if (!isChangeAnnouncement(announcement)) return [composeNotification(announcement, context) ?? []].flat();
  return event !== null && subscriptions.hasSubscriber(eventNameOf(announcement))
    ? [composeChangeNotification(announcement, event, context.resources)]
    : [];
}

function composeRequestNotification(
  { event, request }: RequestUpdate,
  state: NotifiedState | null,
  resources: RelatedResources | null,
  baseUrl: string,
): NotificationEvent {
  const content = trackingRequestContent(event, request, {
    containerIds: state?.shipment.containerIds ?? [],
    related: (...ids) => resources?.(...ids) ?? [],
    baseUrl,
  });
  return { event, ...content };
}
