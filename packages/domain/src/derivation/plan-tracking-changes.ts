import { compareText } from "../compare-text.ts";
import { jsonEqual } from "../json.ts";
import { deriveAnnouncements } from "./announcements.ts";
import type { Derived, DerivedContainer, DerivedShipment, DerivedTransportEvent } from "./derived-shipment.ts";
import { planEstimateNotifications } from "./notified-estimates.ts";
import type {
  ContainerChanges,
  FieldChange,
  StoredContainer,
  StoredFacts,
  StoredMilestone,
  StoredShipment,
  TrackingChanges,
} from "./tracking-changes.ts";

/**
 * The writes and notifications that bring the stored state to the derived one. `stored` null: the shipment is new, and
 * its past events are written without notifications. Planning is idempotent: after applying, the plan is empty.
 */
export function planTrackingChanges(stored: StoredShipment | null, derived: DerivedShipment): TrackingChanges {
  const shipment = fieldChanges(stored?.facts ?? {}, derived.attributes);
  const storedByNumber = new Map(stored?.containers.map((container) => [container.number, container]));
  const changed = derived.containers.map((container) =>
    containerChanges(storedByNumber.get(container.number) ?? null, container),
  );
  const derivedNumbers = new Set(derived.containers.map(({ number }) => number));
  const unsupported = (stored?.containers ?? []).filter(({ number }) => !derivedNumbers.has(number)).map(emptied);
  const containers = [...changed, ...unsupported]
    .filter(hasChanges)
    .toSorted((a, b) => compareText(a.number, b.number));
  const { notifications, notifiedEstimates } =
    stored === null ? { notifications: null, notifiedEstimates: [] } : planEstimateNotifications(stored, derived);
  return {
    shipment,
    containers,
    announcements: deriveAnnouncements(stored, derived, shipment, containers, notifications),
    notifiedEstimates,
  };
}

function containerChanges(stored: StoredContainer | null, derived: DerivedContainer): ContainerChanges {
  return {
    number: derived.number,
    containerId: stored?.id ?? null,
    fields: fieldChanges(stored?.facts ?? {}, derived.attributes),
    ...milestoneChanges(stored?.milestones ?? [], derived.events),
  };
}

/** A container that no observation names any more is never deleted: its attributes are cleared. */
function emptied(stored: StoredContainer): ContainerChanges {
  const unknown = {
    currentStatus: { value: "new", rule: "no_observation", observationId: null, dataSource: "shipping_line" },
  };
  return {
    number: stored.number,
    containerId: stored.id,
    fields: fieldChanges(stored.facts, unknown),
    ...milestoneChanges(stored.milestones, []),
  };
}

function hasChanges({ containerId, fields, added, corrected, withdrawn }: ContainerChanges): boolean {
  return containerId === null || fields.length + added.length + corrected.length + withdrawn.length > 0;
}

function fieldChanges(stored: StoredFacts, derived: object): readonly FieldChange[] {
  const values = derived as Readonly<Record<string, Derived<unknown> | undefined>>;
  const fields = [...new Set([...Object.keys(values), ...Object.keys(stored)])].sort(compareText);
  return fields.flatMap((field) => {
    const before = stored[field] ?? null;
    const after = values[field] ?? null;
    return jsonEqual(before, after?.value) ? [] : [{ field, before, after }];
  });
}

function milestoneChanges(
  stored: readonly StoredMilestone[],
  derived: readonly DerivedTransportEvent[],
): Pick<ContainerChanges, "added" | "corrected" | "withdrawn"> {
  const storedByKey = new Map(stored.map((milestone) => [milestone.milestoneKey, milestone]));
  const derivedKeys = new Set(derived.map(({ milestoneKey }) => milestoneKey));
  return {
    added: derived.filter(({ milestoneKey }) => !storedByKey.has(milestoneKey)),
    corrected: derived.flatMap((event) => {
      const previous = storedByKey.get(event.milestoneKey);
      return previous === undefined || isSameEvent(previous, event) ? [] : [{ previousId: previous.id, event }];
    }),
    withdrawn: stored
      .filter(({ milestoneKey }) => !derivedKeys.has(milestoneKey))
      .map(({ id }) => ({ id, reason: "withdrawn" })),
  };
}

function isSameEvent(stored: StoredMilestone, derived: DerivedTransportEvent): boolean {
  return (
    stored.occurredAt === derived.occurredAt &&
    stored.locode === derived.place.locode &&
    stored.vesselImo === (derived.vessel?.imo ?? null) &&
    stored.voyageNumber === derived.voyageNumber
  );
}
