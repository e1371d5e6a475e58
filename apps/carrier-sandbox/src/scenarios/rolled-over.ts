import { dayMs, hourMs } from "../voyage/journey.ts";
import { journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLanes } from "../world/lanes.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const rolledOver: Scenario = {
  code: "ROL",
  story: "The boxes wait at the port of lading, but are rolled over to the next ship, a week later.",
  withdraws: true,
  terminal: "freight_hold",
  timeline(shipment) {
    const rolledAt = shipment.bookedAt + 20 * hourMs;
    const planned = { ...directLeg(shipment), key: "sea-rolled", actual: null, droppedAt: rolledAt };
    const lane = shipment.chance.pick("lane", directLanes);
    const next = sailing(shipment, {
      key: "sea",
      position: 1,
      lane,
      carriage: shipOn(shipment, lane, 1),
      departure: planned.planned.departure + 7 * dayMs,
    });
    return tellJourney(shipment, journeyAround(shipment, [planned, { ...next, announcedAt: rolledAt }]));
  },
};
