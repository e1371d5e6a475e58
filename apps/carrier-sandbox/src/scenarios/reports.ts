import { dayMs, hourMs } from "@svc/domain";
import type { DcsaEvent } from "../dcsa/event-schema.ts";
import { type Fact, republish } from "../voyage/fact.ts";
import type { Scenario } from "./scenario.ts";
import { directTimeline } from "./voyages.ts";

/** First published seven hours late with a time seven hours too late, corrected 20 hours after that. */
function correctedArrival(fact: Fact): readonly Fact[] {
  const publishedAt = fact.publishedAt + 7 * hourMs;
  const correctedAt = publishedAt + 20 * hourMs;
  return [
    republish(fact, {
      key: `${fact.key}/first`,
      at: fact.at + 7 * hourMs,
      publishedAt,
      withdrawnAt: correctedAt,
    }),
    republish(fact, { key: `${fact.key}/corrected`, publishedAt: correctedAt }),
  ];
}

/** Published, withdrawn after ten hours, and published with a later time 20 hours after that. */
function withdrawnDischarge(fact: Fact): readonly Fact[] {
  const replacement = { at: fact.at + 12 * hourMs, publishedAt: fact.publishedAt + 30 * hourMs };
  return [
    { ...fact, withdrawnAt: fact.publishedAt + 10 * hourMs },
    republish(fact, { ...replacement, key: `${fact.key}/again` }),
  ];
}

export const corrected: Scenario = {
  code: "COR",
  description: "The actual arrival is corrected by minus seven hours; a discharge is retracted and reported again.",
  withdraws: true,
  timeline(shipment) {
    const discharge = `sea/disc/${shipment.containers[0].number}`;
    return directTimeline(shipment).flatMap((fact) => {
      if (fact.key === "sea/arri") return correctedArrival(fact);
      return fact.key === discharge ? withdrawnDischarge(fact) : [fact];
    });
  },
};

export const duplicated: Scenario = {
  code: "DUP",
  description: "Direct voyage; every message is repeated two hours later under another event id.",
  timeline: (shipment) =>
    directTimeline(shipment).flatMap((fact) => [
      fact,
      republish(fact, { key: `${fact.key}/again`, publishedAt: fact.publishedAt + 2 * hourMs }),
    ]),
};

export const outOfOrder: Scenario = {
  code: "OOO",
  description: "Direct voyage; messages arrive up to 60 hours late and in any order, and old estimates are repeated.",
  timeline: ({ chance, ...shipment }) =>
    directTimeline({ chance, ...shipment }).flatMap((fact) => {
      if (fact.publishedAt <= shipment.bookedAt) return [fact];
      const lateMs = chance.between(`late/${fact.key}`, 0, 60) * hourMs;
      const late = { ...fact, publishedAt: fact.publishedAt + lateMs };
      if (!fact.key.startsWith("sea/estimate/")) return [late];
      // An old estimate with its original creation time, in a new message.
      const replayedAt = fact.publishedAt + 6 * dayMs;
      return [
        late,
        republish(fact, { key: `${fact.key}/replayed`, publishedAt: replayedAt, createdAt: fact.publishedAt }),
      ];
    }),
};

/** Gate moves have only a date, departures and arrivals the local time without its offset. */
function withIncompleteTime(event: DcsaEvent): DcsaEvent {
  const time = event.eventDateTime;
  if (event.eventType === "TRANSPORT") return { ...event, eventDateTime: time.slice(0, 19) };
  const isGateMove = event.eventType === "EQUIPMENT" && ["GTIN", "GTOT"].includes(event.equipmentEventTypeCode);
  return isGateMove ? { ...event, eventDateTime: time.slice(0, 10) } : event;
}

export const incompleteTimes: Scenario = {
  code: "TZM",
  description: "Direct voyage; departures and arrivals lack the offset, gate moves have only a date.",
  writesIncompleteTimes: true,
  timeline: (shipment) => directTimeline(shipment).map((fact) => ({ ...fact, event: withIncompleteTime(fact.event) })),
};

export const silent: Scenario = {
  code: "SIL",
  description: "Direct voyage; from the eighth day on the carrier reports nothing new.",
  timeline: (shipment) => directTimeline(shipment).filter((fact) => fact.publishedAt <= shipment.bookedAt + 8 * dayMs),
};

export const noLongerFound: Scenario = {
  code: "NFO",
  description: "Direct voyage; from the twelfth day on the carrier no longer knows the number.",
  withdraws: true,
  timeline(shipment) {
    const removedAt = shipment.bookedAt + 12 * dayMs;
    return directTimeline(shipment).flatMap((fact) =>
      fact.publishedAt < removedAt ? [{ ...fact, withdrawnAt: removedAt }] : [],
    );
  },
};

export const awaitingManifest: Scenario = {
  code: "AWM",
  description: "The carrier does not know the number for three days; then a direct voyage begins.",
  timeline(shipment) {
    const knownAt = shipment.bookedAt + 3 * dayMs;
    return directTimeline({ ...shipment, bookedAt: knownAt }).map((fact) => ({
      ...fact,
      publishedAt: Math.max(fact.publishedAt, knownAt),
    }));
  },
};

export const neverFound: Scenario = {
  code: "NFD",
  description: "The carrier never knows the number.",
  timeline: () => [],
};
