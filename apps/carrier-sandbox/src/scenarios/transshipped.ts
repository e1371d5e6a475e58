import { dayMs, hourMs } from "../voyage/journey.ts";
import { departureAfterBookingMs, journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { transshipmentRoutes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

const plannedStayMs = 36 * hourMs;
const lateAtHubMs = 40 * hourMs;
const nextSailingMs = 5.5 * dayMs;

export const transshipped: Scenario = {
  code: "TSP",
  story: "One transshipment; the first ship is late, the connection is missed and another ship carries on.",
  withdraws: true,
  timeline(shipment) {
    const [toHub, fromHub] = shipment.chance.pick("route", transshipmentRoutes);
    const onTime = sailing(shipment, {
      key: "sea1",
      position: 1,
      lane: toHub,
      carriage: shipOn(shipment, toHub, 0),
      departure: shipment.bookedAt + departureAfterBookingMs,
    });
    const arrival = onTime.planned.arrival + lateAtHubMs;
    const first = { ...onTime, actual: { departure: onTime.planned.departure, arrival } };
    const missedAt = arrival + 3 * hourMs;
    const connection = onTime.planned.arrival + plannedStayMs;
    const missed = {
      ...sailing(shipment, {
        key: "sea2-missed",
        position: 2,
        lane: fromHub,
        carriage: shipOn(shipment, fromHub, 1),
        departure: connection,
      }),
      actual: null,
      droppedAt: missedAt,
    };
    const second = {
      ...sailing(shipment, {
        key: "sea2",
        position: 2,
        lane: fromHub,
        carriage: shipOn(shipment, fromHub, 2),
        departure: connection + nextSailingMs,
      }),
      announcedAt: missedAt,
    };
    return tellJourney(shipment, journeyAround(shipment, [first, missed, second]));
  },
};
