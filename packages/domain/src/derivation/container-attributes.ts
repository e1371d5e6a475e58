import { decodeSizeType } from "../identifiers/iso-size-type.ts";
import type { Instant } from "../instant.ts";
import { containerStatus } from "./container-status.ts";
import type { Derived, DerivedContainerAttributes, DerivedTransportEvent } from "./derived-shipment.ts";
import { derivedFrom, derivedTime, everyPresent, latestOf } from "./derived-value.ts";
import type { Journey } from "./journey.ts";
import type { Milestone } from "./milestone.ts";
import { pickupAttributes } from "./pickup.ts";
import type { SeparateArrival } from "./separate-arrivals.ts";
import { estimate } from "./series.ts";
import type { SourceEvent } from "./source-event.ts";
import type { ContainerDescription } from "./source-event-groups.ts";

export function containerAttributes(
  journey: Journey,
  milestones: readonly Milestone[],
  events: readonly DerivedTransportEvent[],
  description: ContainerDescription,
  documents: readonly SourceEvent[],
): DerivedContainerAttributes {
  const { destination } = journey.inland;
  const first = (event: Milestone["event"], at?: string) => firstTime(milestones, event, at);
  const podFullOutAt = first("full_out", "pod");
  const pickup = pickupAttributes(journey, milestones, documents);
  return {
    currentStatus: status(journey, events, pickup.availableForPickup?.value ?? null),
    ...everyPresent<Omit<DerivedContainerAttributes, "currentStatus" | keyof SeparateArrival>>({
      ...pickup,
      ...equipment(description.sizeType),
      sealNumber: sealNumber(description.seal),
      emptyOutAt: first("empty_out"),
      polFullInAt: first("full_in"),
      polVesselLoadedAt: first("vessel_loaded"),
      polVesselDepartedAt: first("vessel_departed"),
      podArrivedAt: first("vessel_arrived"),
      podDischargedAt: first("vessel_discharged"),
      podFullOutAt,
      podRailLoadedAt: first("rail_loaded"),
      podRailDepartedAt: first("rail_departed"),
      indEtaAt: inlandRailEstimate(journey),
      indAtaAt: destination === null ? null : first("rail_arrived", destination),
      indRailUnloadedAt: destination === null ? null : first("rail_unloaded", destination),
      finalDestinationFullOutAt: destination === null ? podFullOutAt : first("full_out", "destination"),
      emptyTerminatedAt: first("empty_in"),
    }),
  };
}

function firstTime(milestones: readonly Milestone[], event: Milestone["event"], at?: string): Derived<Instant> | null {
  const key = at === undefined ? null : `${event}:${at}`;
  let first: Milestone | null = null;
  for (const one of milestones) {
    if (one.event !== event || (key !== null && one.key !== key)) continue;
    if (first === null || one.sourceEvent.observation.eventAt < first.sourceEvent.observation.eventAt) first = one;
  }
  return first === null ? null : derivedTime(first.sourceEvent, first.rule);
}

/** The status follows from several events, so it names no observation. Its data source is that of the last event. */
function status(
  journey: Journey,
  events: readonly DerivedTransportEvent[],
  isAvailableForPickup: boolean | null,
): DerivedContainerAttributes["currentStatus"] {
  const hasInlandDestination = journey.inland.destination !== null;
  return {
    value: containerStatus({ events, hasInlandDestination, isAvailableForPickup }),
    rule: "container_status",
    observationId: null,
    dataSource: events.at(-1)?.dataSource ?? "shipping_line",
  };
}

function inlandRailEstimate({ inland }: Journey): Derived<Instant> | null {
  const estimates = inland.arrivals.filter(({ mode }) => mode === "RAIL").flatMap((one) => estimate(one) ?? []);
  const last = latestOf(estimates);
  return last === null ? null : derivedTime(last, "E18 estimated.arrived_at_inland_destination");
}

function sealNumber(seal: SourceEvent | null): Derived<string> | null {
  const number = seal?.observation.seals[0];
  return seal === null || number === undefined ? null : derivedFrom(seal, "E29 newest_seal", number);
}

function equipment(sizeType: SourceEvent | null) {
  const code = sizeType?.observation.isoEquipmentCode;
  if (sizeType === null || code == null) return { equipmentType: null, equipmentLength: null, equipmentHeight: null };
  const { type, length, height } = decodeSizeType(code);
  const rule = "E30 iso_size_type";
  return {
    equipmentType: type === null ? null : derivedFrom(sizeType, rule, type),
    equipmentLength: length === null ? null : derivedFrom(sizeType, rule, length),
    equipmentHeight: height === null ? null : derivedFrom(sizeType, rule, height),
  };
}
