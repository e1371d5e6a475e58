import { type Fact, restate } from "../voyage/fact.ts";
import { hourMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

/** First told seven hours too late, put right 20 hours after that. */
function correctedArrival(fact: Fact): readonly Fact[] {
  const toldAt = fact.publishedAt + 7 * hourMs;
  const correctedAt = toldAt + 20 * hourMs;
  return [
    restate(fact, {
      key: `${fact.key}/first`,
      at: fact.at + 7 * hourMs,
      publishedAt: toldAt,
      withdrawnAt: correctedAt,
    }),
    restate(fact, { key: `${fact.key}/corrected`, publishedAt: correctedAt }),
  ];
}

/** Told, withdrawn after ten hours, and told again with a later time 20 hours after that. */
function withdrawnDischarge(fact: Fact): readonly Fact[] {
  const again = { at: fact.at + 12 * hourMs, publishedAt: fact.publishedAt + 30 * hourMs };
  return [
    { ...fact, withdrawnAt: fact.publishedAt + 10 * hourMs },
    restate(fact, { ...again, key: `${fact.key}/again` }),
  ];
}

export const corrected: Scenario = {
  code: "COR",
  story: "The actual arrival is put right by minus seven hours; a discharge is withdrawn and stated again.",
  withdraws: true,
  timeline(shipment) {
    const discharge = `sea/disc/${shipment.containers[0].number}`;
    return directTimeline(shipment).flatMap((fact) => {
      if (fact.key === "sea/arri") return correctedArrival(fact);
      return fact.key === discharge ? withdrawnDischarge(fact) : [fact];
    });
  },
};
