import type { Instant } from "../instant.ts";
import { jsonEqual } from "../json.ts";
import type { PickupChangeName } from "../transport-events/transport-event.ts";
import type { DerivedShipment, DerivedTransportEvent } from "./derived-shipment.ts";
import { compareEvents } from "./milestone.ts";
import type { EstimateNotifications } from "./notified-estimates.ts";
import type { Announcement, ContainerChanges, FieldChange, StoredShipment } from "./tracking-changes.ts";

type ContainerEstimate = Extract<Announcement, { kind: "container_estimate" }>["event"];

/**
 * The changes that subscribers are notified of, in journey order. A new shipment announces only that its containers
 * exist, not their past events. Vessel events are announced once per container, not once per vessel.
 */
export function deriveAnnouncements(
  stored: StoredShipment | null,
  derived: DerivedShipment,
  shipment: readonly FieldChange[],
  containers: readonly ContainerChanges[],
  estimateNotifications: EstimateNotifications | null,
): readonly Announcement[] {
  const created = containers.flatMap(({ containerId, number }): Announcement[] =>
    containerId === null ? [{ kind: "container_created", containerNumber: number }] : [],
  );
  if (stored === null) return created;
  return [
    ...created,
    ...milestones(containers),
    ...(estimateNotifications === null ? [] : estimates(estimateNotifications, derived)),
    ...updates(stored, derived, shipment, containers),
  ];
}

/** A correction has the same event name as the milestone itself. */
function milestones(containers: readonly ContainerChanges[]): readonly Announcement[] {
  const events = containers.flatMap(({ number, added, corrected }) =>
    [...added, ...corrected.map(({ event }) => event)].map((event) => ({ number, event })),
  );
  return events
    .toSorted((a, b) => compareEvents(a.event, b.event))
    .map(({ number, event: { milestoneKey, event } }: { number: string; event: DerivedTransportEvent }) => ({
      kind: "milestone",
      containerNumber: number,
      milestoneKey,
      event,
    }));
}

function estimates(
  { polEtdAt, podEtaAt, containerPodEtaAt, indEtaAt }: EstimateNotifications,
  derived: DerivedShipment,
): readonly Announcement[] {
  const numbers = derived.containers.map(({ number }) => number);
  const containerEstimates = (
    event: ContainerEstimate,
    estimatedAt: (number: string) => Instant | null | undefined,
  ): Announcement[] =>
    numbers.flatMap((number) => {
      const at = estimatedAt(number);
      return at == null ? [] : [{ kind: "container_estimate", containerNumber: number, event, estimatedAt: at }];
    });
  return [
    ...containerEstimates("vessel_departed", () => polEtdAt),
    ...(podEtaAt === null ? [] : [{ kind: "shipment_estimate", estimatedAt: podEtaAt } as const]),
    ...containerEstimates("vessel_arrived", (number) => containerPodEtaAt.get(number)),
    ...containerEstimates("arrived_at_inland_destination", (number) => indEtaAt.get(number)),
  ];
}

/** Fields reported by `container.updated` (docs/contract/reference.md 3.1), besides the shipment's terminal. */
const updatedFields: ReadonlySet<string> = new Set([
  "availableForPickup",
  "pickupLfd",
  "pickupLfdLine",
  "pickupLfdRail",
  "pickupAppointmentAt",
  "holdsAtPodTerminal",
  "feesAtPodTerminal",
]);

/** Fields whose changes have a separate event. */
const pickupChanges: readonly (readonly [field: string, event: PickupChangeName])[] = [
  ["pickupLfd", "pickup_lfd.changed"],
  ["pickupLfdLine", "pickup_lfd_line.changed"],
  ["pickupLfdTerminal", "pickup_lfd_terminal.changed"],
  ["pickupLfdRail", "pickup_lfd_rail.changed"],
  ["pickupAppointmentAt", "pickup_appointment.changed"],
];

/** Each known container gets one notification of a new terminal and one of all its other changes. */
function updates(
  stored: StoredShipment,
  derived: DerivedShipment,
  shipment: readonly FieldChange[],
  containers: readonly ContainerChanges[],
): readonly Announcement[] {
  const known = new Set(stored.containers.map(({ number }) => number));
  const terminal = terminalChange(shipment);
  const changes = new Map(containers.map((change) => [change.number, change.fields]));
  return derived.containers
    .filter(({ number }) => known.has(number))
    .flatMap(({ number }): Announcement[] => {
      const fields = (changes.get(number) ?? []).filter(isValueChange);
      const updated = fields.filter(({ field }) => updatedFields.has(field));
      const changed = terminal === null ? updated : [terminal, ...updated];
      const changeset = Object.fromEntries(
        changed.map(({ field, before, after }) => [field, [before, after?.value ?? null]] as const),
      );
      return [
        ...(terminal === null ? [] : [{ kind: "pod_terminal_changed", containerNumber: number } as const]),
        ...derivePickupChanges(number, fields),
        ...(changed.length === 0 ? [] : [{ kind: "container_updated", containerNumber: number, changeset } as const]),
      ];
    });
}

/** The change of the POD terminal. Null when the terminal became unknown, for example after a cancelled booking. */
function terminalChange(shipment: readonly FieldChange[]): FieldChange | null {
  const change = shipment.find(({ field }) => field === "podTerminal");
  if (change?.after == null || jsonEqual(facilityOf(change.before), facilityOf(change.after.value))) return null;
  return change;
}

/** False when both values are empty: a terminal's first report of no holds, for example, changes nothing. */
function isValueChange({ before, after }: FieldChange): boolean {
  const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return !(isNothing(before) && isNothing(after?.value ?? null));
}

function derivePickupChanges(containerNumber: string, fields: readonly FieldChange[]): readonly Announcement[] {
  return pickupChanges.flatMap(([field, event]) => {
    const change = fields.find((one) => one.field === field);
    if (change === undefined) return [];
    const value = (change.after?.value ?? null) as Instant | null;
    return [{ kind: "pickup_change", containerNumber, event, value } as const];
  });
}

/** The fields that identify a terminal. Its name does not: carriers spell it differently. */
function facilityOf(terminal: unknown): unknown {
  const { locode, facilityCode, facilityCodeProvider } = (terminal ?? {}) as Record<string, unknown>;
  return { locode, facilityCode, facilityCodeProvider };
}
