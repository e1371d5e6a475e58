import { describe, expect, test } from "@jest/globals";
import type { Observation } from "../observations/observation.ts";
import { deriveShipment } from "./derive-shipment.ts";
import { testPlaces } from "./testing/voyage.ts";
import { directVoyage, feederVoyage, railVoyage, transshippedVoyage } from "./testing/voyages.ts";

const derive = (observations: readonly Observation[]) => deriveShipment(observations, testPlaces);

function timeline(observations: readonly Observation[]): readonly string[] {
  return derive(observations).containers.flatMap(({ events }) =>
    events.map(({ event, place }) => `${event} ${place.locode}`),
  );
}

describe("the timeline of a voyage", () => {
  test("direct", () => {
    expect(timeline(directVoyage())).toEqual([
      "empty_out CNSHA",
      "full_in CNSHA",
      "vessel_loaded CNSHA",
      "vessel_departed CNSHA",
      "vessel_arrived NLRTM",
      "vessel_discharged NLRTM",
      "full_out NLRTM",
      "empty_in NLRTM",
    ]);
  });
  test("with a transshipment where both vessels' calls are told", () => {
    expect(timeline(transshippedVoyage())).toEqual([
      "empty_out CNSHA",
      "full_in CNSHA",
      "vessel_loaded CNSHA",
      "vessel_departed CNSHA",
      "transshipment_arrived SGSIN",
      "transshipment_discharged SGSIN",
      "transshipment_loaded SGSIN",
      "transshipment_departed SGSIN",
      "vessel_arrived NLRTM",
      "vessel_discharged NLRTM",
      "full_out NLRTM",
      "empty_in NLRTM",
    ]);
  });
  test("with two transshipments and barges before and after the sea", () => {
    expect(timeline(feederVoyage())).toEqual([
      "empty_out BEANR",
      "feeder_loaded BEANR",
      "feeder_departed BEANR",
      "feeder_arrived NLRTM",
      "feeder_discharged NLRTM",
      "vessel_loaded NLRTM",
      "vessel_departed NLRTM",
      "transshipment_arrived ESALG",
      "transshipment_discharged ESALG",
      "transshipment_loaded ESALG",
      "transshipment_departed ESALG",
      "transshipment_arrived MAPTM",
      "transshipment_discharged MAPTM",
      "transshipment_loaded MAPTM",
      "transshipment_departed MAPTM",
      "vessel_arrived USNYC",
      "vessel_discharged USNYC",
      "feeder_loaded USNYC",
      "feeder_departed USNYC",
      "feeder_arrived USALB",
      "arrived_at_inland_destination USALB",
      "feeder_discharged USALB",
    ]);
  });
  test("with a train to an inland destination", () => {
    expect(timeline(railVoyage())).toEqual([
      "empty_out CNSHA",
      "full_in CNSHA",
      "vessel_loaded CNSHA",
      "vessel_departed CNSHA",
      "vessel_arrived USLGB",
      "vessel_discharged USLGB",
      "rail_loaded USLGB",
      "rail_departed USLGB",
      "rail_arrived USCHI",
      "arrived_at_inland_destination USCHI",
      "rail_unloaded USCHI",
      "full_out USCHI",
      "empty_in USCHI",
    ]);
  });
});
