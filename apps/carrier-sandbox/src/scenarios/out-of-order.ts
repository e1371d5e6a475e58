import { restate } from "../voyage/fact.ts";
import { dayMs, hourMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const outOfOrder: Scenario = {
  code: "OOO",
  story: "Direct voyage; messages come up to 60 hours late and in any order, and old estimates are sent again.",
  timeline: ({ chance, ...shipment }) =>
    directTimeline({ chance, ...shipment }).flatMap((fact) => {
      if (fact.publishedAt <= shipment.bookedAt) return [fact];
      const lateMs = chance.between(`late/${fact.key}`, 0, 60) * hourMs;
      const late = { ...fact, publishedAt: fact.publishedAt + lateMs };
      if (!fact.key.startsWith("sea/estimate/")) return [late];
      // What the line said then, dated then, in a message of today.
      const replayedAt = fact.publishedAt + 6 * dayMs;
      return [
        late,
        restate(fact, { key: `${fact.key}/replayed`, publishedAt: replayedAt, statedAt: fact.publishedAt }),
      ];
    }),
};
