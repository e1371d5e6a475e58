import { hourMs, type Leg } from "../voyage/journey.ts";
import { departureAfterBookingMs, journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { feederRoute } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

const stayMs = 30 * hourMs;

export const twiceTransshipped: Scenario = {
  code: "TS2",
  story: "The empty boxes are fetched after the booking; by barge to the first ship, then two transshipments.",
  timeline(shipment) {
    const barge = sailing(shipment, {
      key: "barge",
      position: 1,
      lane: feederRoute.barge,
      carriage: { mode: "BARGE", vessel: null, voyage: "B014S", service: feederRoute.barge.service },
      departure: shipment.bookedAt + departureAfterBookingMs,
      underwayMs: 9 * hourMs,
    });
    const legs: [Leg, ...Leg[]] = [barge];
    let arrival = (barge.actual ?? barge.planned).arrival;
    feederRoute.sea.forEach((lane, index) => {
      const leg = sailing(shipment, {
        key: `sea${index + 1}`,
        position: index + 2,
        lane,
        carriage: shipOn(shipment, lane, index),
        departure: arrival + stayMs,
      });
      arrival = (leg.actual ?? leg.planned).arrival;
      legs.push(leg);
    });
    const emptyOut = { place: barge.from, at: shipment.bookedAt + 3 * hourMs };
    return tellJourney(shipment, journeyAround(shipment, legs, { emptyOut }));
  },
};
