import { dayMs, type Leg } from "../voyage/journey.ts";
import { departureAfterBookingMs, journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import { dischargedBy, tellJourney } from "../voyage/tell-journey.ts";
import { railRoutes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

export const byRail: Scenario = {
  code: "RAI",
  story: "Direct voyage, then by rail to an inland destination.",
  timeline(shipment) {
    const { sea: lane, ramp, railDays } = shipment.chance.pick("route", railRoutes);
    const sea = sailing(shipment, {
      key: "sea",
      position: 1,
      lane,
      carriage: shipOn(shipment, lane, 0),
      departure: shipment.bookedAt + departureAfterBookingMs,
    });
    const boxes = shipment.containers.length;
    const waitMs = shipment.chance.between("rail/wait", 1.2, 2) * dayMs;
    const underwayMs = railDays * dayMs;
    const plannedDeparture = dischargedBy(sea.planned.arrival, boxes) + waitMs;
    const departure = dischargedBy((sea.actual ?? sea.planned).arrival, boxes) + waitMs;
    const rail: Leg = {
      ...sea,
      key: "rail",
      position: 2,
      carriage: { mode: "RAIL", vessel: null, voyage: "R208", service: "SBR1" },
      from: lane.to,
      to: ramp,
      planned: { departure: plannedDeparture, arrival: plannedDeparture + underwayMs },
      actual: { departure, arrival: departure + underwayMs * shipment.chance.between("rail/late", 1, 1.2) },
      estimates: Math.max(1, Math.round(railDays)),
    };
    return tellJourney(shipment, journeyAround(shipment, [sea, rail]));
  },
};
