import {
  type DerivedShipment,
  type FieldChange,
  planTrackingChanges,
  type TrackingChanges,
} from "@svc/domain/derivation";
import { type EtaChangeCause, etaChangeCause } from "@svc/domain/eta-changes";
import { displayNumber } from "@svc/domain/identifiers";
import { nextPollInterval, trackingProgress } from "@svc/domain/tracking";
import { uuidV7 } from "@svc/persistence";
import {
  adoptShipment,
  findStoredShipment,
  type NewShipment,
  stopPollingSubject,
  type TrackedShipment,
  writeInitialCustomFields,
  writeTracking,
} from "@svc/persistence/tracking";
import type { ShipmentUpdate } from "../notify/shipment-update.ts";
import { advanceRequests } from "./advance-requests.ts";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";
import type { RecordedObservations } from "./record-observations.ts";
import { scheduleTerminalPolls } from "./schedule-terminal-polls.ts";

/** Writes the differences between the stored and the derived shipment. */
export async function writeShipment(
  poll: PollTransaction,
  derived: DerivedShipment,
  { accountSupplied, known, observations }: RecordedObservations,
  shipment = poll.shipment,
): Promise<ShipmentUpdate> {
  const { sql, claim, context, waiting, created, now } = poll;
  const shipmentId = shipment?.id ?? uuidV7.next();
  const target =
    shipment === null
      ? ({ kind: "create", newShipment: shipmentFor(poll) } as const)
      : ({ kind: "update", shipment, stored: await findStoredShipment(sql, claim.accountId, shipment.id) } as const);
  const stored = target.kind === "update" ? target.stored : null;
  const changes = withEtaChangeCause(planTrackingChanges(stored, derived), () =>
    etaChangeCause(observations, context.places, now),
  );
  const refNumbers = distinct([...waiting, ...created].flatMap((request) => request.refNumbers));
  const write = { ...target, shipmentId, derived, changes, accountSupplied, refNumbers, now };
  const written = await writeTracking(sql, claim.accountId, write);
  const containerIds = new Map([...written.containers].map(([number, { row }]) => [number, row.id]));
  await setInitialFields(poll, shipmentId, changes, containerIds);
  await scheduleTerminalPolls(poll, derived, containerIds);
  const podTerminalIdBefore = shipment?.podTerminalId ?? null;
  return { derived, announcements: changes.announcements, written, known, podTerminalIdBefore };
}

/** Adds why the ETA at the port of discharge changed. */
function withEtaChangeCause(changes: TrackingChanges, readCause: () => EtaChangeCause | null): TrackingChanges {
  const isEtaChange = ({ field, before, after }: FieldChange) =>
    field === "podEtaAt" && before != null && after !== null;
  if (!changes.shipment.some(isEtaChange)) return changes;
  const cause = readCause();
  return { ...changes, shipment: changes.shipment.map((one) => (isEtaChange(one) ? { ...one, cause } : one)) };
}

/** Sets the initial custom fields of a shipment that is new to a request, and of new containers. */
async function setInitialFields(
  { sql, claim, waiting, created, now }: PollTransaction,
  shipmentId: string,
  { containers }: TrackingChanges,
  containerIds: ReadonlyMap<string, string>,
): Promise<void> {
  const requestIds = [...waiting, ...created].map(({ id }) => id);
  const newContainerIds = containers.flatMap(({ containerId, number }) =>
    containerId === null ? (containerIds.get(number) ?? []) : [],
  );
  if (requestIds.length === 0 || (waiting.length === 0 && newContainerIds.length === 0)) return;
  await writeInitialCustomFields(sql, claim.accountId, { requestIds, shipmentId, newContainerIds }, now);
}

/**
 * The first events of a request: creates its shipment or, when the account has one of this number, resumes it. The stop
 * rules apply from the next poll, so that a completed voyage is visible before its tracking ends. Events before
 * tracking began are not notified. A user may have resumed the shipment while the request waited: then it is tracked
 * already, and all its changes are notified.
 */
export async function adoptOrCreateShipment(
  poll: PollTransaction,
  derived: DerivedShipment,
  recorded: RecordedObservations,
): Promise<PollEffects> {
  const { shipment, isTracked, now } = poll;
  const adopted = shipment === null ? null : await adopt(poll, shipment);
  const shipmentUpdate = await writeShipment(poll, derived, recorded, adopted);
  const { id: shipmentId } = shipmentUpdate.written.shipment;
  const announcements = shipmentUpdate.announcements.filter(({ kind }) => isTracked || kind === "container_created");
  return {
    ...(await advanceRequests(poll, { kind: "found", shipmentId })),
    nextPollInMs: nextPollInterval(trackingProgress(derived, recorded.observations), now, 0),
    shipmentUpdate: { ...shipmentUpdate, announcements },
  };
}

/** A shipment is polled by one subject: polling by another one ends. */
async function adopt(poll: PollTransaction, shipment: TrackedShipment): Promise<TrackedShipment> {
  const { sql, claim, waiting, now } = poll;
  const refNumbers = distinct(waiting.flatMap((request) => request.refNumbers));
  const tags = distinct(waiting.flatMap((request) => request.shipmentTags));
  const adoption = { subjectId: claim.id, refNumbers, tags, customerId: customerOf(waiting) };
  const adopted = await adoptShipment(sql, claim.accountId, shipment, adoption, now);
  const { subjectId } = shipment;
  if (subjectId !== null && subjectId !== claim.id) await stopPollingSubject(sql, claim.accountId, subjectId);
  return adopted;
}

function shipmentFor({ claim, waiting }: PollTransaction): NewShipment {
  const first = waiting[0];
  if (first === undefined || claim.kind === "terminal_container") {
    throw new Error("A shipment is created for a waiting request, and there is none.");
  }
  return {
    subjectId: claim.id,
    // The request keeps the number as it was typed.
    billOfLadingNumber: displayNumber(first.requestNumber),
    normalizedNumber: first.normalizedNumber,
    numberKind: first.requestType,
    shippingLineScac: claim.scac,
    refNumbers: distinct(waiting.flatMap((request) => request.refNumbers)),
    tags: distinct(waiting.flatMap((request) => request.shipmentTags)),
    customerId: customerOf(waiting),
  };
}

const customerOf = (waiting: PollTransaction["waiting"]): string | null =>
  waiting.find(({ customerId }) => customerId !== null)?.customerId ?? null;

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
