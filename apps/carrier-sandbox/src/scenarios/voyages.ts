import { dayMs, hourMs } from "@svc/domain";
import type { Fact } from "../voyage/fact.ts";
import type { Leg } from "../voyage/journey.ts";
import { Logbook } from "../voyage/logbook.ts";
import { departureAfterBookingMs, planJourney, sailing, sailingTimeMs, vesselOn } from "../voyage/plan-journey.ts";
import { dischargedBy, journeyFacts, recordJourney } from "../voyage/record-journey.ts";
import type { Shipment } from "../voyage/shipment.ts";
import { directLanes, feederRoute, omissionRoutes, railRoutes, transshipmentRoutes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

/** One vessel from port to port, close to plan: the basis of most scenarios. */
export function directLeg(shipment: Shipment): Leg {
  const lane = shipment.chance.pick("lane", directLanes);
  return sailing(shipment, {
    key: "sea",
    position: 1,
    lane,
    carriage: vesselOn(shipment, lane, 0),
    departure: shipment.bookedAt + departureAfterBookingMs,
  });
}

/** All events of a direct voyage without disruption. */
export function directTimeline(shipment: Shipment) {
  return journeyFacts(shipment, planJourney(shipment, [directLeg(shipment)]));
}

export const direct: Scenario = {
  code: "DIR",
  description: "Direct voyage, on time, from empty pickup to empty return.",
  timeline: directTimeline,
};

const plannedStayMs = 36 * hourMs;
const lateAtHubMs = 40 * hourMs;
const nextSailingMs = 5.5 * dayMs;

export const transshipped: Scenario = {
  code: "TSP",
  description:
    "One transshipment; the first vessel is late, the connection is missed, and the next vessel takes the containers.",
  withdraws: true,
  timeline(shipment) {
    const [toHub, fromHub] = shipment.chance.pick("route", transshipmentRoutes);
    const onTime = sailing(shipment, {
      key: "sea1",
      position: 1,
      lane: toHub,
      carriage: vesselOn(shipment, toHub, 0),
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
        carriage: vesselOn(shipment, fromHub, 1),
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
        carriage: vesselOn(shipment, fromHub, 2),
        departure: connection + nextSailingMs,
      }),
      announcedAt: missedAt,
    };
    return journeyFacts(shipment, planJourney(shipment, [first, missed, second]));
  },
};

const stayMs = 30 * hourMs;

export const twiceTransshipped: Scenario = {
  code: "TS2",
  description: "Empty pickup after the booking; by barge to the first vessel, then two transshipments.",
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
        carriage: vesselOn(shipment, lane, index),
        departure: arrival + stayMs,
      });
      arrival = (leg.actual ?? leg.planned).arrival;
      legs.push(leg);
    });
    const emptyOut = { place: barge.from, at: shipment.bookedAt + 3 * hourMs };
    return journeyFacts(shipment, planJourney(shipment, legs, { emptyOut }));
  },
};

export const byRail: Scenario = {
  code: "RAI",
  description: "Direct voyage, then by rail to an inland destination.",
  timeline(shipment) {
    const { sea: lane, ramp, railDays } = shipment.chance.pick("route", railRoutes);
    const sea = sailing(shipment, {
      key: "sea",
      position: 1,
      lane,
      carriage: vesselOn(shipment, lane, 0),
      departure: shipment.bookedAt + departureAfterBookingMs,
    });
    const containerCount = shipment.containers.length;
    const waitMs = shipment.chance.between("rail/wait", 1.2, 2) * dayMs;
    const underwayMs = railDays * dayMs;
    const plannedDeparture = dischargedBy(sea.planned.arrival, containerCount) + waitMs;
    const plannedArrival = plannedDeparture + underwayMs;
    const late = shipment.chance.between("rail/late", 1, 1.2);
    const departure = dischargedBy((sea.actual ?? sea.planned).arrival, containerCount) + waitMs;
    const rail: Leg = {
      ...sea,
      key: "rail",
      position: 2,
      carriage: { mode: "RAIL", vessel: null, voyage: "R208", service: "SBR1" },
      from: lane.to,
      to: ramp,
      planned: { departure: plannedDeparture, arrival: plannedArrival },
      actual: { departure, arrival: Math.max(departure + underwayMs * late, plannedArrival + 3 * hourMs) },
      // A train is hours late and the last estimate includes it: every seed has a changed estimate that is notified.
      estimates: Math.max(2, Math.round(railDays)),
      isLastEstimateExact: true,
    };
    return journeyFacts(shipment, planJourney(shipment, [sea, rail]));
  },
};

export const rolledOver: Scenario = {
  code: "ROL",
  description: "Rollover at the port of lading to the next vessel, a week later.",
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
      carriage: vesselOn(shipment, lane, 1),
      departure: planned.planned.departure + 7 * dayMs,
    });
    return journeyFacts(shipment, planJourney(shipment, [planned, { ...next, announcedAt: rolledAt }]));
  },
};

function concernsArrival(fact: Fact): boolean {
  return /\/(arri|disc)(\/|$)/.test(fact.key);
}

export const portOmitted: Scenario = {
  code: "OMT",
  description: "Halfway the carrier omits the port of discharge; the containers are discharged at the next port.",
  withdraws: true,
  timeline(shipment) {
    const { planned: lane, instead, furtherNauticalMiles } = shipment.chance.pick("route", omissionRoutes);
    const carriage = vesselOn(shipment, lane, 0);
    const departure = shipment.bookedAt + departureAfterBookingMs;
    const planned = sailing(shipment, { key: "sea", position: 1, lane, carriage, departure });
    const omittedAt = (planned.planned.departure + planned.planned.arrival) / 2;
    const sailed = {
      ...sailing(shipment, {
        key: "sea-instead",
        position: 1,
        lane: { ...lane, to: instead },
        carriage,
        departure,
        underwayMs: planned.planned.arrival - departure + sailingTimeMs(shipment, "further", furtherNauticalMiles),
      }),
      announcedAt: omittedAt,
    };
    // Both legs are of one vessel: the departure and first half from the planned leg, the rest from the sailed one.
    return journeyFacts(shipment, planJourney(shipment, [planned, sailed])).flatMap((fact) => {
      const isSailed = fact.key.startsWith("sea-instead/");
      if (isSailed) return concernsArrival(fact) && fact.publishedAt >= omittedAt ? [fact] : [];
      if (!fact.key.startsWith("sea/") || !concernsArrival(fact)) return [fact];
      return fact.publishedAt < omittedAt ? [{ ...fact, withdrawnAt: omittedAt }] : [];
    });
  },
};

/** The events of some of the containers on a separate vessel. Their empty pickup precedes that vessel's departure. */
function part(shipment: Shipment, key: string, slot: number, departure: number) {
  const lane = shipment.chance.pick("lane", directLanes);
  const carriage = vesselOn(shipment, lane, slot);
  const leg = sailing(shipment, { key, position: 1, lane, carriage, departure });
  const fullIn = { place: lane.from, at: departure - 22 * hourMs };
  const emptyOut = { place: lane.from, at: departure - shipment.chance.between("empty-out", 42, 50) * hourMs };
  return journeyFacts(shipment, planJourney(shipment, [leg], { fullIn, emptyOut }));
}

export const split: Scenario = {
  code: "SPL",
  description: "Three containers on one bill of lading: two on the first vessel, the third on another four days later.",
  containerCount: 3,
  timeline(shipment) {
    const [one, two, three] = shipment.containers;
    if (!two || !three) throw new RangeError("a split shipment has three containers");
    const departure = shipment.bookedAt + departureAfterBookingMs;
    const onFirstVessel = part({ ...shipment, containers: [one, two] }, "sea-first", 0, departure);
    const onSecondVessel = part({ ...shipment, containers: [three] }, "sea-second", 1, departure + 4 * dayMs);
    return [...onFirstVessel, ...onSecondVessel.filter((fact) => !fact.key.startsWith("document/"))];
  },
};

export const delayed: Scenario = {
  code: "DLY",
  description: "Direct voyage into a congested port: nine days late, with 25 changes of the ETA on the way.",
  terminal: "last_free_day_moved",
  timeline(shipment) {
    const leg = directLeg(shipment);
    const actual = { departure: leg.planned.departure, arrival: leg.planned.arrival + 9 * dayMs };
    return journeyFacts(shipment, planJourney(shipment, [{ ...leg, actual, estimates: 25 }]));
  },
};

export const cancelled: Scenario = {
  code: "CAN",
  description: "The booking is cancelled 18 hours after the first request, before anything is loaded.",
  withdraws: true,
  timeline(shipment) {
    const cancelledAt = shipment.bookedAt + 18 * hourMs;
    const leg = { ...directLeg(shipment), actual: null, droppedAt: cancelledAt };
    const logbook = new Logbook(shipment);
    const never = { fullIn: null, fullOut: null, emptyIn: null };
    recordJourney(logbook, shipment, planJourney(shipment, [leg], never));
    logbook.document({
      key: "document/VOID",
      code: "VOID",
      documentType: "BKG",
      documentId: shipment.booking,
      reason: "Cancelled at the shipper's request",
      at: cancelledAt,
      publishedAt: cancelledAt,
    });
    return logbook.facts;
  },
};
