import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { OfferedCarrier } from "@svc/carriers";
import type { Sql } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { Semaphore } from "../poll/semaphore.ts";
import { vesselMove, voyage } from "../testing/dcsa-carrier.ts";
import { lines, pushOf, sendMessage, startMessages, storeMessage } from "../testing/send-message.ts";
import { carrierScac, setUpTracking } from "../testing/tracking-setup.ts";

const finishDelayMs = 300;

const setup = started(setUpTracking);
beforeEach(() => setup.reset());

/** Creates an account with this many tracked shipments, and a push with an event for each. */
async function pushFor(prefix: string, shipments: number) {
  const accountId = await setup.newAccount();
  const numbers = Array.from({ length: shipments }, (_, n) => `${prefix}${n}`);
  for (const number of numbers) {
    setup.line.answer(number, voyage());
    await setup.request(number, { accountId });
  }
  while ((await setup.pollDue()) > 0);
  const event = vesselMove("ARRI", "NLRTM", "2026-02-02T06:00:00+01:00", "EST");
  const text = JSON.stringify(numbers.flatMap((number) => JSON.parse(pushOf(number, [event]))));
  return { accountId, channel: "push", text } as const;
}

/** Ends each transaction of a message with an entry, and the claim and the end of each message with others. */
function watch(entries: string[]) {
  const sql: Sql = {
    ...setup.database.sql,
    async rows<Row extends object>(...args: Parameters<Sql["rows"]>): Promise<Row[]> {
      const rows = await setup.database.sql.rows<Row>(...args);
      if (args[0].name === "event-messages.claim")
        for (const row of rows) entries.push(`claimed ${(row as { id?: string }).id}`);
      return rows;
    },
    async execute(...args) {
      if (args[0].name !== "event-messages.finish") return setup.database.sql.execute(...args);
      // The message stays in progress for long enough that a wrongly allowed step of another one is seen.
      await setTimeout(finishDelayMs);
      entries.push(`finished ${args[1][1]}`);
      return setup.database.sql.execute(...args);
    },
  };
  class WatchedSemaphore extends Semaphore {
    override run<T>(work: () => Promise<T>): Promise<T> {
      return super.run(() => {
        entries.push("step");
        return work();
      });
    }
  }
  const context = { ...setup.context, database: { ...setup.database, sql } };
  return { context, transactions: new WatchedSemaphore(3), yieldMaxMs: 60_000 };
}

describe("a large push", () => {
  test("takes no further step while a small push of another account is processed", async () => {
    // Eight subjects are updated in one step.
    const large = await pushFor("LARGE", 160);
    const small = await pushFor("SMALL", 5);
    const entries: string[] = [];
    const messages = startMessages(setup, watch(entries));
    const steps = () => entries.filter((entry) => entry === "step").length;
    const indexOf = (entry: string) => entries.indexOf(entry);
    try {
      const largeId = await storeMessage(setup, large);
      messages.wake();
      await eventually("the large push is under way", () => steps() >= 3);
      const smallId = await storeMessage(setup, small);
      messages.wake();
      await eventually("both are processed", () => indexOf(`finished ${largeId}`) > 0, 60_000);
      expect(indexOf(`finished ${smallId}`)).toBeLessThan(indexOf(`finished ${largeId}`));
      const meanwhile = entries.slice(indexOf(`claimed ${smallId}`), indexOf(`finished ${smallId}`));
      // Its own, and one on each of the two lanes of the large one that had been allowed before the claim.
      expect(meanwhile.filter((entry) => entry === "step").length).toBeLessThanOrEqual(3);
      expect(steps()).toBe(21);
    } finally {
      await messages.stop();
    }
  }, 120_000);

  test("is read no further while a small push of another account is processed", async () => {
    const accountId = await setup.newAccount();
    const small = await pushFor("TINY", 1);
    const event = vesselMove("ARRI", "NLRTM", "2026-02-02T06:00:00+01:00", "EST");
    const text = pushOf(
      "UNKNOWN",
      Array.from({ length: 10_000 }, () => event),
    );
    const entries: string[] = [];
    const parts = () => entries.filter((entry) => entry === "part").length;
    const readPush: OfferedCarrier["readPush"] = (body, pause) =>
      lines.get(carrierScac)?.readPush?.(body, async () => {
        await pause?.();
        entries.push("part");
      }) ?? Promise.resolve(null);
    const watched = new Map([...lines].map(([scac, carrier]) => [scac, { ...carrier, readPush }]));
    const messages = startMessages(setup, { ...watch(entries), offered: watched });
    try {
      const largeId = await storeMessage(setup, { accountId, channel: "push", text });
      messages.wake();
      await eventually("the large push is being read", () => parts() > 5);
      const smallId = await storeMessage(setup, small);
      messages.wake();
      await eventually("both are processed", () => entries.includes(`finished ${largeId}`), 60_000);
      const [claimed, finished] = [entries.indexOf(`claimed ${smallId}`), entries.indexOf(`finished ${smallId}`)];
      expect(finished).toBeLessThan(entries.indexOf(`finished ${largeId}`));
      // One pause may have ended before the claim.
      expect(entries.slice(claimed, finished).filter((entry) => entry === "part").length).toBeLessThanOrEqual(1);
    } finally {
      await messages.stop();
    }
  }, 120_000);

  test("goes on step by step beside a small push that does not end", async () => {
    const large = await pushFor("BULK", 12);
    const stuck = await pushFor("STUCK", 1);
    const lease = "UPDATE tracking_subjects SET lease_until = now() + interval '1 hour' WHERE number = 'STUCK0'";
    await setup.rows(lease);
    const entries: string[] = [];
    const messages = startMessages(setup, { ...watch(entries), yieldMaxMs: 10 });
    try {
      const stuckId = await storeMessage(setup, stuck);
      messages.wake();
      await eventually("it waits for its subject", () => entries.includes(`claimed ${stuckId}`));
      const largeId = await storeMessage(setup, large);
      messages.wake();
      await eventually("the large one is processed", () => entries.includes(`finished ${largeId}`), 60_000);
      expect(entries).not.toContain(`finished ${stuckId}`);
    } finally {
      await setup.rows("UPDATE tracking_subjects SET lease_until = NULL WHERE number = 'STUCK0'");
      await messages.stop();
    }
  }, 120_000);

  test("is applied in parts when one subject has many events, each with its evidence", async () => {
    const { accountId } = await pushFor("MANY", 1);
    const events = Array.from({ length: 1_200 }, (_, n) =>
      vesselMove("ARRI", "NLRTM", new Date(Date.UTC(2026, 1, 2, 0, n)).toISOString(), "EST"),
    );
    const row = await sendMessage(setup, { accountId, channel: "push", text: pushOf("MANY0", events) });
    expect(row).toMatchObject({ event_count: 1_200, applied_count: 1_200, new_fact_count: 1_200 });
    const parts = await setup.rows(
      "SELECT event_count FROM raw_replies WHERE account_id = $1 AND channel = 'push' ORDER BY id",
      accountId,
    );
    expect(parts).toEqual([{ event_count: 500 }, { event_count: 500 }, { event_count: 200 }]);
  }, 60_000);
});
