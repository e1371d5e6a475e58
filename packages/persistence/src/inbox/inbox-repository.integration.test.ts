import { expect, test } from "@jest/globals";
import { addMs, type Instant, instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import {
  createInboxReader,
  inboxRequestsAMinute,
  inboxRequestsKept,
  keepInboxRequest,
  removeEndedInboxes,
  takeInboxRequest,
} from "./inbox-repository.ts";

const now = instant("2026-06-01T10:00:00Z");
const [soon, later] = [addMs(now, 60_000), addMs(now, 120_000)];

const database = started(openTestDatabase);
const inboxes = started(() => createInboxReader(database.tenantSql));

const inbox = (key: string, expiresAt: Instant = soon) => ({ key, answer: 200, expiresAt });
const keep = (accountId: string, body: string) =>
  keepInboxRequest(database.tenantSql, accountId, {
    id: uuidV7.next(),
    receivedAt: now,
    headers: { "webhook-id": body },
    body,
    bodyBytes: body.length,
    answer: 200,
  });
const bodies = async (accountId: string, at = now) => (await inboxes.list(accountId, at)).map(({ body }) => body);

test("finds an inbox by account and by address, stores its requests, and deletes them with it", async () => {
  const [mine, theirs] = [await addAccount(database), await addAccount(database)];
  await inboxes.open(mine, inbox("mine"), now);
  await inboxes.open(theirs, inbox("theirs"), now);
  await inboxes.open(mine, inbox("another"), now);
  expect(await inboxes.find(mine, now)).toEqual(inbox("mine"));
  const taken = { accountId: mine, ...inbox("mine"), waitSeconds: null };
  expect(await takeInboxRequest(database.sql, "mine", now)).toEqual(taken);
  expect(await takeInboxRequest(database.sql, "another", now)).toBeNull();
  await keep(mine, "one");
  await keep(mine, "two");
  expect(await bodies(mine)).toEqual(["two", "one"]);
  expect((await inboxes.list(mine, now))[1]?.headers).toEqual({ "webhook-id": "one" });
  expect(await bodies(theirs)).toEqual([]);
  await inboxes.answerWith(mine, 500);
  expect((await inboxes.find(mine, now))?.answer).toBe(500);
  expect((await inboxes.find(theirs, now))?.answer).toBe(200);
  await inboxes.empty(mine);
  expect(await bodies(mine)).toEqual([]);
  await keep(mine, "three");
  await inboxes.close(mine);
  await keep(mine, "too late");
  expect([await inboxes.find(mine, now), await bodies(mine)]).toEqual([null, []]);
  expect(await database.prisma.inboxRequest.count()).toBe(0);
});

test("keeps the newest requests up to the maximum", async () => {
  const account = await addAccount(database);
  await inboxes.open(account, inbox("full"), now);
  for (let index = 0; index < inboxRequestsKept + 3; index++) await keep(account, String(index));
  const kept = await bodies(account);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([inboxRequestsKept, String(inboxRequestsKept + 2), "3"]);
  expect(await database.prisma.inboxRequest.count({ where: { accountId: account } })).toBe(inboxRequestsKept);
});

test("treats an expired inbox as absent, opens an empty one, and removes expired ones", async () => {
  const account = await addAccount(database);
  await inboxes.open(account, inbox("old"), now);
  await keep(account, "old");
  expect([await inboxes.find(account, soon), await takeInboxRequest(database.sql, "old", soon)]).toEqual([null, null]);
  expect(await bodies(account, soon)).toEqual([]);
  await inboxes.open(account, inbox("new", later), soon);
  expect([(await inboxes.find(account, soon))?.key, await bodies(account, soon)]).toEqual(["new", []]);
  await keep(account, "new");
  expect(await removeEndedInboxes(database.sql)).toBeGreaterThan(0);
  expect(await database.prisma.inbox.count({ where: { accountId: account } })).toBe(0);
  expect(await database.prisma.inboxRequest.count({ where: { accountId: account } })).toBe(0);
});

test("limits the requests in each minute, also when they arrive concurrently", async () => {
  const account = await addAccount(database);
  await inboxes.open(account, inbox("busy", addMs(now, 3_600_000)), now);
  const waits = async (at: Instant, count: number) =>
    Promise.all(
      Array.from(
        { length: count },
        async () => (await takeInboxRequest(database.sql, "busy", at))?.waitSeconds ?? null,
      ),
    );
  const first = await waits(now, inboxRequestsAMinute + 5);
  expect(first.filter((wait) => wait === null)).toHaveLength(inboxRequestsAMinute);
  expect(first.filter((wait) => wait !== null)).toEqual([60, 60, 60, 60, 60]);
  expect(await waits(addMs(now, 58_500), 1)).toEqual([2]);
  expect(await waits(addMs(now, 60_000), 2)).toEqual([null, null]);
});
