import type { Place } from "@svc/domain/shipments";
import { type Html, html, localTime } from "@svc/views";
import type { KnownNames, ShownShipment } from "./api-records.ts";
import type { Fact } from "./field-sources.ts";

/** The facts about the shipment as a whole. */
export function shipmentFacts(shipment: ShownShipment, names: KnownNames): readonly Fact[] {
  const place = (at: Place | null, terminalId?: string): Html =>
    at === null
      ? html`<span class="muted">–</span>`
      : html`${at.name} <span class="muted">${at.locode}</span>${terminalId && html`<br>${names.get(terminalId)}`}`;
  const { portOfLading, portOfDischarge, destination, podTerminal, destinationTerminal } = shipment;
  const [pol, pod, inland] = [portOfLading, portOfDischarge, destination].map((at) => at?.timeZone ?? null);
  const time = (at: ShownShipment["podEtaAt"], zone: string | null | undefined) => localTime(at, zone ?? null);
  const atDestination: readonly Fact[] =
    destination === null || destination.id === portOfDischarge?.id
      ? []
      : [
          ["ETA at destination", time(shipment.destinationEtaAt, inland), "destinationEtaAt"],
          ["ATA at destination", time(shipment.destinationAtaAt, inland), "destinationAtaAt"],
        ];
  return [
    ["Port of loading (POL)", place(portOfLading), "portOfLading"],
    ["Scheduled departure (ETD)", time(shipment.polEtdAt, pol), "polEtdAt"],
    ["Departed (ATD)", time(shipment.polAtdAt, pol), "polAtdAt"],
    ["Port of discharge", place(portOfDischarge, podTerminal?.id), "portOfDischarge"],
    ["Estimated arrival (ETA)", time(shipment.podEtaAt, pod), "podEtaAt"],
    ["Original ETA", time(shipment.podOriginalEtaAt, pod), "podOriginalEtaAt"],
    ["Arrived (ATA)", time(shipment.podAtaAt, pod), "podAtaAt"],
    ["Destination", place(destination, destinationTerminal?.id), "destination"],
    ...atDestination,
    ["Vessel", shipment.podVesselName ?? "–", "podVessel"],
    ["Vessel IMO", shipment.podVesselImo ?? "–", "podVessel"],
    ["Voyage", shipment.podVoyageNumber ?? "–", "podVoyageNumber"],
    ["Carrier last queried", localTime(shipment.lineTrackingLastAttemptedAt, "UTC"), null],
    ["Carrier last replied", localTime(shipment.lineTrackingLastSucceededAt, "UTC"), null],
  ];
}
