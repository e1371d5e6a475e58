import type { DerivedTransportEvent } from "../derived-shipment.ts";
import type {
  ContainerChanges,
  FieldChange,
  NotifiedEstimateChange,
  NotifiedEstimates,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
  TrackingChanges,
} from "../tracking-changes.ts";

/** The stored state after the changes are written. Values are serialized as JSON, as in the database. */
export function applyChanges(stored: StoredShipment | null, changes: TrackingChanges): StoredShipment {
  const containers = new Map(stored?.containers.map((container) => [container.number, container]));
  for (const change of changes.containers) {
    containers.set(change.number, applyToContainer(containers.get(change.number), change));
  }
  const notifiedOf = (notified: NotifiedEstimates | undefined, id: string | null): NotifiedEstimates =>
    applyNotified(
      notified ?? {},
      changes.notifiedEstimates.filter(({ containerId }) => containerId === id),
    );
  return {
    facts: applyFields(stored?.facts ?? {}, changes.shipment),
    notifiedEstimates: notifiedOf(stored?.notifiedEstimates, null),
    containers: [...containers.values()].map((one) => ({
      ...one,
      notifiedEstimates: notifiedOf(one.notifiedEstimates, one.id),
    })),
  };
}

function applyToContainer(stored: StoredContainer | undefined, change: ContainerChanges): StoredContainer {
  const gone = new Set([
    ...change.withdrawn.map(({ id }) => id),
    ...change.corrected.map(({ previousId }) => previousId),
  ]);
  const remaining = (stored?.milestones ?? []).filter(({ id }) => !gone.has(id));
  const added = [...change.added, ...change.corrected.map(({ event }) => event)].map(toMilestone);
  return {
    id: stored?.id ?? `container ${change.number}`,
    number: change.number,
    facts: applyFields(stored?.facts ?? {}, change.fields),
    notifiedEstimates: stored?.notifiedEstimates ?? {},
    milestones: [...remaining, ...added],
  };
}

function applyFields(facts: StoredFacts, changes: readonly FieldChange[]): StoredFacts {
  const written = { ...facts };
  for (const { field, after } of changes) {
    if (after === null) delete written[field];
    else written[field] = JSON.parse(JSON.stringify(after.value));
  }
  return written;
}

function applyNotified(notified: NotifiedEstimates, changes: readonly NotifiedEstimateChange[]): NotifiedEstimates {
  const retained = { ...notified };
  for (const { field, estimatedAt } of changes) {
    if (estimatedAt === null) delete retained[field];
    else retained[field] = estimatedAt;
  }
  return retained;
}

function toMilestone(event: DerivedTransportEvent): StoredMilestone {
  return {
    id: `${event.milestoneKey} of ${event.observationId}`,
    milestoneKey: event.milestoneKey,
    event: event.event,
    occurredAt: event.occurredAt,
    locode: event.place.locode,
    vesselImo: event.vessel?.imo ?? null,
    voyageNumber: event.voyageNumber,
  };
}
