import type { Instant } from "@svc/domain";
import { arrivesSeparately, type Place, withLastArrival } from "@svc/domain/shipments";
import { type Html, html, localTime, noValue } from "@svc/views";
import type { ContainerRecord, KnownNames, ShipmentRecord } from "./api-records.ts";
import type { Fact } from "./field-sources.ts";
import { separateVessels } from "./separate-arrivals.ts";

type Time = (at: Instant | null, zone: string | null) => Html;

/**
 * Departures and arrivals. The stored ETA of a split shipment is that of its last container, its actual times are those
 * of the first one, and its original ETA is that of any vessel.
 */
function voyageFacts(shipment: ShipmentRecord, containers: readonly ContainerRecord[], time: Time) {
  const pod = shipment.portOfDischarge?.timeZone ?? null;
  const isSplit = containers.some(arrivesSeparately);
  const last = withLastArrival(containers, shipment);
  const vessels = separateVessels(containers);
  const arrival: readonly Fact[] = isSplit
    ? [
        ["ETA of the last container", time(shipment.podEtaAt, pod), "podEtaAt"],
        ["Original ETA of the last container", time(last.podOriginalEtaAt, pod), null],
        ["Arrival of the first container (ATA)", time(shipment.podAtaAt, pod), "podAtaAt"],
        ["Arrival of the last container (ATA)", time(last.podAtaAt, pod), null],
      ]
    : [
        ["Estimated arrival (ETA)", time(shipment.podEtaAt, pod), "podEtaAt"],
        ["Original ETA", time(shipment.podOriginalEtaAt, pod), "podOriginalEtaAt"],
        ["Arrived (ATA)", time(shipment.podAtaAt, pod), "podAtaAt"],
      ];
  const vessel: readonly Fact[] =
    vessels.length > 1
      ? [["Vessels", `${vessels.length} vessels: ${vessels.join(", ")}`, null]]
      : [
          ["Vessel", shipment.podVesselName ?? "–", "podVessel"],
          ["Vessel IMO", shipment.podVesselImo ?? "–", "podVessel"],
          ["Voyage", shipment.podVoyageNumber ?? "–", "podVoyageNumber"],
        ];
  return { departed: isSplit ? "First departure (ATD)" : "Departed (ATD)", arrival, vessel };
}

/** The facts about the shipment as a whole that are known. */
export function shipmentFacts(
  shipment: ShipmentRecord,
  containers: readonly ContainerRecord[],
  names: KnownNames,
): readonly Fact[] {
  const place = (at: Place | null, terminalId?: string): Html =>
    at === null
      ? noValue
      : html`${at.name} <span class="muted">${at.locode}</span>${terminalId && html`<br>${names.get(terminalId)}`}`;
  const { portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal } = shipment;
  const [pol, inland] = [portOfLading, destination].map((at) => at?.timeZone ?? null);
  const time = (at: Instant | null, zone: string | null | undefined) => localTime(at, zone ?? null);
  const { departed, arrival, vessel } = voyageFacts(shipment, containers, time);
  const atDestination: readonly Fact[] =
    destination === null || destination.id === portOfDischarge?.id
      ? []
      : [
          ["ETA at destination", time(shipment.destinationEtaAt, inland), "destinationEtaAt"],
          ["ATA at destination", time(shipment.destinationAtaAt, inland), "destinationAtaAt"],
        ];
  const facts: readonly Fact[] = [
    ["Port of loading (POL)", place(portOfLading), "portOfLading"],
    ["Estimated departure (ETD)", time(shipment.polEtdAt, pol), "polEtdAt"],
    [departed, time(shipment.polAtdAt, pol), "polAtdAt"],
    ["Port of discharge", place(portOfDischarge, podTerminal?.id), "portOfDischarge"],
    ...arrival,
    ["Destination", place(destination, destinationTerminal?.id), "destination"],
    ...atDestination,
    ...vessel,
  ];
  return facts.filter(([, value]) => value !== noValue && value !== "–");
}
