import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import type { Sql } from "../sql.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import {
  type ClaimedMessage,
  claimEventMessages,
  finishEventMessage,
  releaseEventMessage,
} from "./event-message-claims.ts";
import { storeEventMessage } from "./event-message-store.ts";

const database = started(openTestDatabase);
let accountId: string;
let ids: string[];

/** An account with three imports. */
beforeEach(async () => {
  await database.pool.query("DELETE FROM event_messages");
  accountId = await addAccount(database);
  ids = [];
  for (let n = 0; n < 3; n++) {
    const id = uuidV7.next();
    const receivedAt = instant("2026-11-21T10:00:00Z");
    const message = { id, channel: "import", connectionId: null, scac: "", form: "json", receivedAt } as const;
    const body = { contentHash: randomBytes(32), gzippedBody: randomBytes(8) };
    await storeEventMessage(database.tenantSql, accountId, { ...message, ...body });
    ids.push(id);
  }
});

/** A claim by a worker without a message in progress. */
const claim = (sql: Sql = database.sql, leaseMs = 30_000): Promise<ClaimedMessage[]> =>
  claimEventMessages(sql, { leaseMs, limit: 5, busyAccounts: [], afterAccount: accountId });
const idsOf = (messages: readonly ClaimedMessage[]) => messages.map(({ id }) => id);

test("takes an account's messages one by one in order of receipt, over all workers", async () => {
  const none = { events: 1, applied: 1, inactive: 0, unknown: 0, skipped: 0, newFacts: 1, unappliedRows: [] };
  for (const id of ids) {
    const claimed = await claim();
    expect([idsOf(claimed), await claim()]).toEqual([[id], []]);
    for (const message of claimed) await finishEventMessage(database.sql, message, none);
  }
});

test("takes no later message while another worker is claiming the first", async () => {
  await database.transaction(async (sql) => {
    expect(idsOf(await claim(sql))).toEqual([ids[0]]);
    expect(await claim()).toEqual([]);
  });
});

test("keeps the order through four tries of one that fails, then takes the next meanwhile", async () => {
  const due = "UPDATE event_messages SET due_at = now() WHERE id = $1";
  for (let tries = 1; tries <= 4; tries++) {
    await database.pool.query(due, [ids[0]]);
    const claimed = await claim();
    expect([tries, idsOf(claimed)]).toEqual([tries, [ids[0]]]);
    for (const message of claimed) await releaseEventMessage(database.sql, message, 60_000);
    expect(await claim()).toEqual([]);
  }
  await database.pool.query(due, [ids[0]]);
  for (const message of await claim()) await releaseEventMessage(database.sql, message, 60_000);
  expect(idsOf(await claim())).toEqual([ids[1]]);
});

test("takes the first while a later one that failed waits", async () => {
  await database.pool.query("UPDATE event_messages SET due_at = now() + interval '1 minute' WHERE id = $1", [ids[0]]);
  for (const message of await claim()) await releaseEventMessage(database.sql, message, 60_000);
  await database.pool.query("UPDATE event_messages SET due_at = now() WHERE id = $1", [ids[0]]);
  expect(idsOf(await claim())).toEqual([ids[0]]);
});

test("takes one whose lease ended again", async () => {
  await database.pool.query("DELETE FROM event_messages WHERE id = $1", [ids[0]]);
  expect(idsOf(await claim(database.sql, 1))).toEqual([ids[1]]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(idsOf(await claim())).toEqual([ids[1]]);
});
