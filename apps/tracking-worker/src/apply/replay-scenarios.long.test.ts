import { describe, expect, test } from "@jest/globals";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { type Difference, verify } from "@svc/replay";
import { startVoyageHarness, type VoyageHarness } from "../testing/voyage-harness.ts";

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

async function replayed({ database, sandbox }: VoyageHarness) {
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
      const harness = await startVoyageHarness(timeoutMs === undefined ? {} : { timeoutMs });
      try {
        const response = await fetch(`${harness.sandbox.url}/_sandbox/scenarios`);
        const { scenarios } = (await response.json()) as { scenarios: { code: string }[] };
        expect(groups.flatMap((group) => group.stories).toSorted()).toEqual(
          scenarios.map(({ code }) => code).toSorted(),
        );
        for (const story of stories) await harness.track(`SBX${story}000004`);
        await harness.sail(days, 36);
        // The voyage continues until the windows of the stop rules have passed.
        await harness.sail(60, 240);
        const { total, differences } = await replayed(harness);
        expect(differences).toEqual([]);
        expect(total.notReadAgain).toBe(0);
        // A number that the carrier never knows has no state.
        const known = stories.filter((story) => story !== "NFD" && story !== "CAN");
        expect(total.shipments).toBeGreaterThanOrEqual(known.length);
        expect(total.observations).toBeGreaterThan(0);
      } finally {
        await harness.close();
      }
    },
    120_000,
  );
});
