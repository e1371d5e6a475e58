import { dayMs, hourMs } from "../voyage/journey.ts";
import { departureAfterBookingMs, journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import type { Shipment } from "../voyage/shipment.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLanes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

/** The way of some of the boxes on a ship of their own. Those of a later ship are fetched for it, when the line is asked already. */
function part(shipment: Shipment, key: string, slot: number, departure: number) {
  const lane = shipment.chance.pick("lane", directLanes);
  const carriage = shipOn(shipment, lane, slot);
  const leg = sailing(shipment, { key, position: 1, lane, carriage, departure });
  const fullIn = { place: lane.from, at: departure - 22 * hourMs };
  const emptyOut = { place: lane.from, at: departure - shipment.chance.between("empty-out", 42, 50) * hourMs };
  return tellJourney(shipment, journeyAround(shipment, [leg], { fullIn, emptyOut }));
}

export const split: Scenario = {
  code: "SPL",
  story: "Three boxes on one bill of lading: two on the first ship, the third on another four days later.",
  boxes: 3,
  timeline(shipment) {
    const [one, two, three] = shipment.containers;
    if (!two || !three) throw new RangeError("a split shipment has three boxes");
    const departure = shipment.bookedAt + departureAfterBookingMs;
    const onFirstShip = part({ ...shipment, containers: [one, two] }, "sea-first", 0, departure);
    const onSecondShip = part({ ...shipment, containers: [three] }, "sea-second", 1, departure + 4 * dayMs);
    return [...onFirstShip, ...onSecondShip.filter((fact) => !fact.key.startsWith("document/"))];
  },
};
