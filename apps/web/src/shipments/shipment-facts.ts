import type { Instant } from "@svc/domain";
import { arrivesSeparately, type Place, withLastArrival } from "@svc/domain/shipments";
import { type Html, html, localTime, noValue } from "@svc/views";
import type { ContainerRecord, KnownNames, ShipmentRecord } from "./api-records.ts";
import type { LabelledValue } from "./field-sources.ts";
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
  const arrival: readonly LabelledValue[] = isSplit
    ? [
        { term: "ETA of the last container", value: time(shipment.podEtaAt, pod), field: "podEtaAt" },
        { term: "Original ETA of the last container", value: time(last.podOriginalEtaAt, pod), field: null },
        { term: "Arrival of the first container (ATA)", value: time(shipment.podAtaAt, pod), field: "podAtaAt" },
        { term: "Arrival of the last container (ATA)", value: time(last.podAtaAt, pod), field: null },
      ]
    : [
        { term: "Estimated arrival (ETA)", value: time(shipment.podEtaAt, pod), field: "podEtaAt" },
        { term: "Original ETA", value: time(shipment.podOriginalEtaAt, pod), field: "podOriginalEtaAt" },
        { term: "Arrived (ATA)", value: time(shipment.podAtaAt, pod), field: "podAtaAt" },
      ];
  const vessel: readonly LabelledValue[] =
    vessels.length > 1
      ? [{ term: "Vessels", value: `${vessels.length} vessels: ${vessels.join(", ")}`, field: null }]
      : [
          { term: "Vessel", value: shipment.podVesselName ?? "–", field: "podVessel" },
          { term: "Vessel IMO", value: shipment.podVesselImo ?? "–", field: "podVessel" },
          { term: "Voyage", value: shipment.podVoyageNumber ?? "–", field: "podVoyageNumber" },
        ];
  return { departed: isSplit ? "First departure (ATD)" : "Departed (ATD)", arrival, vessel };
}

/** The facts about the shipment as a whole that are known. */
export function shipmentFacts(
  shipment: ShipmentRecord,
  containers: readonly ContainerRecord[],
  names: KnownNames,
): readonly LabelledValue[] {
  const place = (at: Place | null, terminalId?: string): Html =>
    at === null
      ? noValue
      : html`${at.name} <span class="muted">${at.locode}</span>${terminalId && html`<br>${names.get(terminalId)}`}`;
  const { portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal } = shipment;
  const [pol, inland] = [portOfLading, destination].map((at) => at?.timeZone ?? null);
  const time = (at: Instant | null, zone: string | null | undefined) => localTime(at, zone ?? null);
  const { departed, arrival, vessel } = voyageFacts(shipment, containers, time);
  const atDestination: readonly LabelledValue[] =
    destination === null || destination.id === portOfDischarge?.id
      ? []
      : [
          { term: "ETA at destination", value: time(shipment.destinationEtaAt, inland), field: "destinationEtaAt" },
          { term: "ATA at destination", value: time(shipment.destinationAtaAt, inland), field: "destinationAtaAt" },
        ];
  const facts: readonly LabelledValue[] = [
    { term: "Port of loading (POL)", value: place(portOfLading), field: "portOfLading" },
    { term: "Estimated departure (ETD)", value: time(shipment.polEtdAt, pol), field: "polEtdAt" },
    { term: departed, value: time(shipment.polAtdAt, pol), field: "polAtdAt" },
    { term: "Port of discharge", value: place(portOfDischarge, podTerminal?.id), field: "portOfDischarge" },
    ...arrival,
    { term: "Destination", value: place(destination, destinationTerminal?.id), field: "destination" },
    ...atDestination,
    ...vessel,
  ];
  return facts.filter(({ value }) => value !== noValue && value !== "–");
}
