import type { MetroArea, Port, Terminal, Vessel } from "@svc/domain/reference-data";
import type { TransportEventName } from "@svc/domain/transport-events";
import { exampleMetroArea, examplePorts, exampleTerminals, exampleVessels } from "./example-places.ts";

export interface ExampleMilestone {
  /** Hours from the departure of the voyage. */
  readonly hour: number;
  readonly place: Port | MetroArea;
  readonly terminal?: Terminal;
  readonly vessel?: Vessel;
  readonly voyageNumber?: string;
}

const { nanjing, shanghai, busan, losAngeles } = examplePorts;
const barge = { vessel: exampleVessels.barge, voyageNumber: "0612E" };
const feeder = { vessel: exampleVessels.feeder, voyageNumber: "118E" };
const mother = { vessel: exampleVessels.mother, voyageNumber: "041E" };
const atPod = { place: losAngeles, terminal: exampleTerminals.port };
const atRamp = { place: exampleMetroArea, terminal: exampleTerminals.rail };

/** Every milestone that there is, in one voyage: by barge, on two vessels and by rail. */
export const exampleMilestones: Readonly<Record<TransportEventName, ExampleMilestone>> = {
  empty_out: { hour: -96, place: nanjing },
  full_in: { hour: -72, place: nanjing },
  feeder_loaded: { hour: -60, place: nanjing, ...barge },
  feeder_departed: { hour: -58, place: nanjing, ...barge },
  feeder_arrived: { hour: -40, place: shanghai, ...barge },
  feeder_discharged: { hour: -36, place: shanghai, ...barge },
  vessel_loaded: { hour: -8, place: shanghai, ...feeder },
  vessel_departed: { hour: 0, place: shanghai, ...feeder },
  transshipment_arrived: { hour: 40, place: busan, ...feeder },
  transshipment_discharged: { hour: 46, place: busan, ...feeder },
  transshipment_loaded: { hour: 88, place: busan, ...mother },
  transshipment_departed: { hour: 96, place: busan, ...mother },
  vessel_arrived: { hour: 360, ...atPod, ...mother },
  vessel_berthed: { hour: 366, ...atPod, ...mother },
  vessel_discharged: { hour: 380, ...atPod, ...mother },
  rail_loaded: { hour: 404, ...atPod },
  rail_departed: { hour: 410, ...atPod },
  rail_arrived: { hour: 498, ...atRamp },
  arrived_at_inland_destination: { hour: 499, ...atRamp },
  rail_unloaded: { hour: 503, ...atRamp },
  available: { hour: 506, ...atRamp },
  not_available: { hour: 520, ...atRamp },
  full_out: { hour: 546, ...atRamp },
  delivered: { hour: 550, place: exampleMetroArea },
  empty_in: { hour: 600, ...atRamp },
};
