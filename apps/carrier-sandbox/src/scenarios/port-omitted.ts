import type { Fact } from "../voyage/fact.ts";
import { departureAfterBookingMs, journeyAround, sailing, sailingTimeMs, shipOn } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { omissionRoutes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

function isAboutTheArrival(fact: Fact): boolean {
  return /\/(arri|disc)(\/|$)/.test(fact.key);
}

export const portOmitted: Scenario = {
  code: "OMT",
  story: "Half-way the line leaves out the port of discharge; the boxes come ashore at the next port.",
  withdraws: true,
  timeline(shipment) {
    const { planned: lane, instead, furtherNauticalMiles } = shipment.chance.pick("route", omissionRoutes);
    const carriage = shipOn(shipment, lane, 0);
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
    // Of one ship's two tellings: the departure and the first half from the plan, the rest from what was sailed.
    return tellJourney(shipment, journeyAround(shipment, [planned, sailed])).flatMap((fact) => {
      const isSailed = fact.key.startsWith("sea-instead/");
      if (isSailed) return isAboutTheArrival(fact) && fact.publishedAt >= omittedAt ? [fact] : [];
      if (!fact.key.startsWith("sea/") || !isAboutTheArrival(fact)) return [fact];
      return fact.publishedAt < omittedAt ? [{ ...fact, withdrawnAt: omittedAt }] : [];
    });
  },
};
