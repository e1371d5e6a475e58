import type { Instant } from "@svc/domain";
import {
  arrivesSeparately,
  containerAta,
  isInland,
  shipmentStatus,
  shipmentStatuses,
  withLastArrival,
} from "@svc/domain/shipments";
import { type Html, html, localTime } from "@svc/views";
import type { TimelineStep } from "@svc/views/timeline";
import type { ContainerRecord, ShipmentRecord } from "./api-records.ts";
import { isPickedUp } from "./last-free-day.ts";

interface Stage {
  readonly label: string;
  readonly at: Instant | null;
  readonly timeZone: string | null;
  readonly isDone: boolean;
  /** How its time is called until then; absent: the ETA. */
  readonly estimate?: "ETD" | "ETA";
}

/** A stage that all containers have to reach; with the latest of their times, until then with `expectedAt`. */
function containersStage(
  label: string,
  containers: readonly ContainerRecord[],
  timeOf: (container: ContainerRecord) => Instant | null,
  timeZone: string | null,
  expectedAt: Instant | null = null,
): Stage {
  const times = containers.flatMap((container) => timeOf(container) ?? []).toSorted();
  const isDone = times.length > 0 && times.length === containers.length;
  const isPartly = times.length > 0 && !isDone;
  return {
    label: isPartly ? `${label} (${times.length} of ${containers.length})` : label,
    at: isDone ? (times.at(-1) ?? null) : expectedAt,
    timeZone,
    isDone,
  };
}

/** The time of the event by which the only container of a journey became available; null: not reported, or several. */
export const availableSince = (containers: readonly unknown[], steps: readonly TimelineStep[]): Instant | null =>
  containers.length === 1 ? (steps.findLast(({ event }) => event === "available")?.actualAt ?? null) : null;

/** A container that was picked up was available before. */
function availableStage(
  containers: readonly ContainerRecord[],
  timeZone: string | null,
  availableAt: Instant | null,
): Stage {
  const ready = containers.filter((one) => one.availableForPickup || isPickedUp(one)).length;
  const isDone = ready > 0 && ready === containers.length;
  const isPartly = ready > 0 && !isDone;
  return {
    label: isPartly ? `Available (${ready} of ${containers.length})` : "Available",
    at: isDone ? availableAt : null,
    timeZone,
    isDone,
  };
}

/**
 * The gate-in of all containers, or of the first one if they travel separately: others may come in after its departure.
 * Null: not reported.
 */
function gateInStage(containers: readonly ContainerRecord[], timeZone: string | null, isSplit: boolean): Stage | null {
  if (!isSplit) {
    const stage = containersStage("Gate in", containers, (one) => one.polFullInAt, timeZone);
    return stage.at === null ? null : stage;
  }
  const [at = null] = containers.flatMap(({ polFullInAt }) => polFullInAt ?? []).toSorted();
  return at && { label: "First gate in", at, timeZone, isDone: true };
}

function shipmentStages(
  shipment: ShipmentRecord,
  containers: readonly ContainerRecord[],
  availableAt: Instant | null,
): readonly Stage[] {
  const { portOfLading, portOfDischarge, destination } = shipment;
  const endZone = (destination ?? portOfDischarge)?.timeZone ?? null;
  const reached = shipmentStatuses.indexOf(shipmentStatus(shipment));
  const stage = (label: string, at: Instant | null, place: ShipmentRecord["destination"], from: number): Stage => ({
    label,
    at,
    timeZone: place?.timeZone ?? null,
    isDone: reached >= from,
  });
  const isSplit = containers.some(arrivesSeparately);
  const podZone = portOfDischarge?.timeZone ?? null;
  const atPort = isSplit
    ? containersStage(
        "Arrived at port",
        containers,
        containerAta,
        podZone,
        withLastArrival(containers, shipment).podEtaAt,
      )
    : stage("Arrived at port", shipment.podAtaAt ?? shipment.podEtaAt, portOfDischarge, 3);
  const atDestination = isSplit
    ? containersStage(
        "At destination",
        containers,
        (one) => one.indAtaAt ?? one.finalDestinationFullOutAt,
        endZone,
        shipment.destinationEtaAt,
      )
    : stage("At destination", shipment.destinationAtaAt ?? shipment.destinationEtaAt, destination, 4);
  const departed = stage(
    isSplit ? "First departed" : "Departed",
    shipment.polAtdAt ?? shipment.polEtdAt,
    portOfLading,
    2,
  );
  const isAtTerminal = reached >= 3;
  return [
    gateInStage(containers, portOfLading?.timeZone ?? null, isSplit) ?? stage("Booked", null, portOfLading, 1),
    { ...departed, estimate: "ETD" },
    atPort,
    ...(isInland(shipment) ? [atDestination] : []),
    ...(isAtTerminal ? [availableStage(containers, podZone, availableAt)] : []),
    containersStage("Picked up", containers, (one) => one.finalDestinationFullOutAt ?? one.podFullOutAt, endZone),
    containersStage("Returned", containers, (one) => one.emptyTerminatedAt, endZone),
  ];
}

/** The time of a stage. */
function progress({ at, timeZone, isDone, estimate = "ETA" }: Stage): Html {
  if (at === null) return html`<span class="hidden">${isDone ? ", done" : "still to come"}</span>`;
  const time = localTime(at, timeZone, "date_only");
  if (isDone) return html`${time}<span class="hidden">, done</span>`;
  return html`<span>${estimate} ${time}</span>`;
}

/**
 * The stages of the journey. Hidden text marks completed stages for screen readers. Null: the booking is cancelled.
 * @param availableAt see `availableSince`
 */
export function stages(
  shipment: ShipmentRecord,
  containers: readonly ContainerRecord[],
  availableAt: Instant | null = null,
): Html | null {
  if (shipment.lineTrackingStoppedReason === "booking_cancelled") return null;
  const all = shipmentStages(shipment, containers, availableAt);
  const current = all.findLastIndex(({ isDone }) => isDone);
  const item = (stage: Stage, index: number) => html`
    <li${stage.isDone && html` class="done"`}${index === current && html` aria-current="step"`}>
      <strong>${stage.label}</strong> ${progress(stage)}</li>`;
  return html`<ol class="stages" aria-label="Stages of the journey">${all.map(item)}</ol>`;
}
