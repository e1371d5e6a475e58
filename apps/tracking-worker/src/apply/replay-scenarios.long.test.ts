import { describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { type Difference, verify } from "@svc/replay";
import { startVoyageRig, type VoyageRig } from "../testing/voyage-rig.ts";

interface Group {
  readonly stories: readonly string[];
  readonly days: number;
  readonly timeoutMs?: number;
}

/**
 * Every scenario. Those with a failing server are separate: the circuit breaker of a carrier is shared by its
 * numbers.
 */
const groups: readonly Group[] = [
  { stories: ["DIR", "TSP", "TS2", "RAI", "ROL", "DLY", "COR", "DUP"], days: 36 },
  { stories: ["OOO", "TZM", "CAN", "OMT", "SPL", "REU", "SIL", "NFO"], days: 36 },
  { stories: ["FOW", "ARW", "HLD", "AWM", "NFD", "RLD"], days: 36 },
  // It has 55 containers.
  { stories: ["PAG"], days: 9 },
  { stories: ["ERR"], days: 36 },
  // Its Retry-After is in real seconds.
  { stories: ["RTL"], days: 9 },
  { stories: ["SLW"], days: 36, timeoutMs: 200 },
];

async function replayed({ database, sandbox }: VoyageRig) {
  const places = await loadPlaceDirectory(database.sql);
  const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox.url };
  const read = createStoredReplyReader([CarrierConnection.parse(line)], places);
  const differences: Difference[] = [];
  const total = await verify(database, {}, { read, places }, (difference) => differences.push(difference));
  return { total, differences };
}

describe("the stored state equals the state derived from the stored replies, in the scenarios", () => {
  test.each(groups.map((group) => [group.stories.join(" "), group] as const))(
    "%s",
    async (_names, { stories, days, timeoutMs }) => {
      const rig = await startVoyageRig(timeoutMs === undefined ? {} : { timeoutMs });
      try {
        const answer = await fetch(`${rig.sandbox.url}/_sandbox/scenarios`);
        const { scenarios } = (await answer.json()) as { scenarios: { code: string }[] };
        expect(groups.flatMap((group) => group.stories).toSorted()).toEqual(
          scenarios.map(({ code }) => code).toSorted(),
        );
        for (const story of stories) await rig.track(`SBX${story}000004`);
        await rig.sail(days, 36);
        // The voyage continues until the windows of the stop rules have passed.
        await rig.sail(60, 240);
        const { total, differences } = await replayed(rig);
        expect(differences).toEqual([]);
        expect(total.notReadAgain).toBe(0);
        // A number that the carrier never knows has no state.
        const known = stories.filter((story) => story !== "NFD" && story !== "CAN");
        expect(total.shipments).toBeGreaterThanOrEqual(known.length);
        expect(total.observations).toBeGreaterThan(0);
      } finally {
        await rig.close();
      }
    },
    120_000,
  );
});
