import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectDatabase, type Database } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { sandboxClock } from "../../e2e/harness/sandbox-clock.ts";
import { type System, startSystem } from "../../e2e/harness/system.ts";
import type { Passing } from "./every-page.ts";
import { manyRequests } from "./in-browser.ts";

/** The voyages that are still at sea begin on 2 March at 8:00. */
const startsAt = Date.parse("2026-02-12T05:00:00Z");

/** How long nothing is due before a step counts as processed: longer than the workers take to read the clock. */
const quietMs = 1_000;
const pollMs = 200;

/** Starts the system with the clock of the voyages paused at a fixed time, so that each run shows the same voyages. */
export function startStillSystem(dataDir: string): Promise<System> {
  const folder = path.join(dataDir, "carrier-sandbox");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "clock.json"), JSON.stringify({ now: startsAt, paused: true }));
  return startSystem({ dataDir, environment: manyRequests });
}

async function withDatabase(system: System, work: (database: Database) => Promise<unknown>): Promise<void> {
  const url = system.runtime().databaseUrl;
  const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** Resolves when everything that is due at the time of the voyages is processed. */
async function settle(system: System): Promise<void> {
  const now = new Date((await sandboxClock.read(system)).now);
  let quietSince = Date.now();
  await withDatabase(system, (database) =>
    eventually(`what is due at ${now.toISOString()} is processed`, async () => {
      const due = await database.prisma.trackingSubject.count({
        where: { OR: [{ nextPollAt: { lte: now } }, { leaseOwner: { not: null } }] },
      });
      const checks = await database.prisma.exceptionCheck.count({ where: { dueAt: { lte: now } } });
      // A request that timed out on a busy machine counts as an unreachable carrier, whose checks take real time.
      const unreachable = await database.prisma.carrierAccess.count({
        where: {
          credential: { in: ["SBXL", "SBXT"] },
          OR: [{ unreachableSince: { not: null } }, { pausedUntil: { gt: new Date() } }],
        },
      });
      if (due + checks + unreachable > 0) quietSince = Date.now();
      await delay(pollMs);
      return Date.now() - quietSince > quietMs;
    }),
  );
}

/** Longer than the tracking worker takes to read which vessels it follows, and to ask for their positions. */
const vesselsQuietMs = 20_000;

/** Resolves when every vessel has reported its position at the time of the voyages. */
export async function settleVessels(system: System): Promise<void> {
  let [known, quietSince] = [-1, Date.now()];
  await withDatabase(system, (database) =>
    eventually(
      "no vessel reports another position",
      async () => {
        const count = await database.prisma.vesselPosition.count();
        if (count !== known) [known, quietSince] = [count, Date.now()];
        await delay(pollMs);
        return Date.now() - quietSince > vesselsQuietMs;
      },
      4 * vesselsQuietMs,
    ),
  );
}

/** Postpones the polls of shipping lines, or brings them back. */
const shiftLines = (system: System, by: "100 years" | "-100 years"): Promise<void> =>
  withDatabase(
    system,
    ({ prisma }) => prisma.$executeRaw`
      UPDATE tracking_subjects SET next_poll_at = next_poll_at + ${by}::text::interval
      WHERE kind <> 'terminal_container' AND next_poll_at IS NOT NULL`,
  );

/**
 * Terminals are polled before shipping lines: a line that reports the pickup first would end the polls of the terminal,
 * whose report of it is then never read.
 */
async function advanceTerminalsFirst(system: System, by: string): Promise<void> {
  await shiftLines(system, "100 years");
  await sandboxClock.advance(system, by);
  await settle(system);
  await shiftLines(system, "-100 years");
  await settle(system);
}

/** Lets an hour pass after each request and each step settle, so that records are created in the same order. */
export function passStepwise(system: System): Passing {
  return {
    async betweenRequests() {
      await settle(system);
      await advanceTerminalsFirst(system, "1h");
    },
    async sail(days, steps) {
      for (let step = 0; step < steps; step += 1) {
        await advanceTerminalsFirst(system, `${(days / steps) * 24}h`);
      }
    },
  };
}
