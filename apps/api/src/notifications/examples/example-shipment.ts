import type { Shipment } from "@svc/domain/shipments";
import { exampleMilestones } from "./example-milestones.ts";
import { type ExampleMoment, exampleIds, exampleNumber, exampleRefNumbers, exampleTags } from "./example-moment.ts";
import {
  exampleMetroArea,
  examplePorts,
  exampleTerminals,
  exampleVessels,
  metroAreaPlace,
  portPlace,
} from "./example-places.ts";

/** The shipment of the examples at a moment: only what has happened by then is actual. */
export function exampleShipment({ now, at, happenedAt, row }: ExampleMoment): Shipment {
  const stoppedAt = happenedAt("empty_in");
  return {
    id: exampleIds.shipment,
    billOfLadingNumber: exampleNumber,
    normalizedNumber: exampleNumber,
    refNumbers: exampleRefNumbers,
    tags: exampleTags,
    shippingLineScac: "SBXL",
    shippingLineName: "Sandbox Line",
    shippingLineShortName: "Sandbox",
    customerName: null,
    portOfLading: portPlace(examplePorts.shanghai),
    portOfDischarge: portPlace(examplePorts.losAngeles),
    destination: metroAreaPlace(exampleMetroArea),
    podTerminal: exampleTerminals.port,
    destinationTerminal: exampleTerminals.rail,
    podVesselName: exampleVessels.mother.name,
    podVesselImo: exampleVessels.mother.imo,
    podVoyageNumber: exampleMilestones.vessel_arrived.voyageNumber ?? null,
    polEtdAt: at(exampleMilestones.vessel_departed.hour),
    polOriginalEtdAt: at(exampleMilestones.vessel_departed.hour - 6),
    polAtdAt: happenedAt("vessel_departed"),
    podEtaAt: at(exampleMilestones.vessel_arrived.hour),
    podOriginalEtaAt: at(exampleMilestones.vessel_arrived.hour - 20),
    podAtaAt: happenedAt("vessel_arrived"),
    destinationEtaAt: at(exampleMilestones.arrived_at_inland_destination.hour),
    destinationOriginalEtaAt: at(exampleMilestones.arrived_at_inland_destination.hour - 20),
    destinationAtaAt: happenedAt("arrived_at_inland_destination"),
    lineTrackingLastAttemptedAt: now,
    lineTrackingLastSucceededAt: now,
    lineTrackingStoppedAt: stoppedAt,
    lineTrackingStoppedReason: stoppedAt === null ? null : "all_containers_terminated",
    lineTrackingStoppedByUserId: null,
    containerIds: [exampleIds.container],
    ...row,
  };
}
