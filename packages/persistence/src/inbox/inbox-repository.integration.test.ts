import { expect, test } from "@jest/globals";
import { addMs, type Instant, instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { addAccount } from "../testing/accounts.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import {
  createInboxReader,
  inboxRequestsAMinute,
  inboxRequestsMax,
  removeEndedInboxes,
  storeInboxRequest,
  takeInboxRequest,
} from "./inbox-repository.ts";

const now = instant("2026-06-01T10:00:00Z");
const [soon, later] = [addMs(now, 60_000), addMs(now, 120_000)];

const database = started(openTestDatabase);
const inboxes = started(() => createInboxReader(database.tenantSql));

const inbox = (key: string, expiresAt: Instant = soon) => ({ key, answer: 200, expiresAt });
const store = (accountId: string, body: string) =>
  storeInboxRequest(database.tenantSql, accountId, {
    id: uuidV7.next(),
    receivedAt: now,
    headers: { "webhook-id": body },
    body,
    bodyBytes: body.length,
    answer: 200,
  });
const bodies = async (accountId: string, at = now) => (await inboxes.list(accountId, at)).map(({ body }) => body);

test("finds an inbox by account and by address, stores its requests, and deletes them with it", async () => {
  const [ownAccountId, otherAccountId] = [await addAccount(database), await addAccount(database)];
  await inboxes.open(ownAccountId, inbox("mine"), now);
  await inboxes.open(otherAccountId, inbox("theirs"), now);
  await inboxes.open(ownAccountId, inbox("another"), now);
  expect(await inboxes.find(ownAccountId, now)).toEqual(inbox("mine"));
  const expected = { accountId: ownAccountId, ...inbox("mine"), waitSeconds: null };
  expect(await takeInboxRequest(database.sql, "mine", now)).toEqual(expected);
  expect(await takeInboxRequest(database.sql, "another", now)).toBeNull();
  await store(ownAccountId, "one");
  await store(ownAccountId, "two");
  expect(await bodies(ownAccountId)).toEqual(["two", "one"]);
  expect((await inboxes.list(ownAccountId, now))[1]?.headers).toEqual({ "webhook-id": "one" });
  expect(await bodies(otherAccountId)).toEqual([]);
  await inboxes.answerWith(ownAccountId, 500);
  expect((await inboxes.find(ownAccountId, now))?.answer).toBe(500);
  expect((await inboxes.find(otherAccountId, now))?.answer).toBe(200);
  await inboxes.empty(ownAccountId);
  expect(await bodies(ownAccountId)).toEqual([]);
  await store(ownAccountId, "three");
  await inboxes.close(ownAccountId);
  await store(ownAccountId, "too late");
  expect([await inboxes.find(ownAccountId, now), await bodies(ownAccountId)]).toEqual([null, []]);
  expect(await database.prisma.inboxRequest.count()).toBe(0);
});

test("keeps the newest requests up to the maximum", async () => {
  const account = await addAccount(database);
  await inboxes.open(account, inbox("full"), now);
  for (let index = 0; index < inboxRequestsMax + 3; index++) await store(account, String(index));
  const stored = await bodies(account);
  expect([stored.length, stored[0], stored.at(-1)]).toEqual([inboxRequestsMax, String(inboxRequestsMax + 2), "3"]);
  expect(await database.prisma.inboxRequest.count({ where: { accountId: account } })).toBe(inboxRequestsMax);
});

test("treats an expired inbox as absent, opens an empty one, and removes expired ones", async () => {
  const account = await addAccount(database);
  await inboxes.open(account, inbox("old"), now);
  await store(account, "old");
  expect([await inboxes.find(account, soon), await takeInboxRequest(database.sql, "old", soon)]).toEqual([null, null]);
  expect(await bodies(account, soon)).toEqual([]);
  await inboxes.open(account, inbox("new", later), soon);
  expect([(await inboxes.find(account, soon))?.key, await bodies(account, soon)]).toEqual(["new", []]);
  await store(account, "new");
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
