import { expect, test } from "@jest/globals";
import type { PagePosition } from "@svc/domain/lists";
import { createDeliveryFixture, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createNotificationFeed } from "./notification-feed.ts";

const notification = `
  WITH event AS (
    INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
    VALUES ($1, gen_random_uuid(), 'container.created', 'container_created_event', gen_random_uuid(), '[]', now())
      RETURNING id)
  INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
  SELECT $1, $3, $2, id, 'container.created', now() FROM event`;

/** The feed ends before the oldest transaction of the server, and tests of other databases fill large ones. */
const visibleTimeoutMs = 90_000;

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));
const feed = started(() => createNotificationFeed(database.tenantSql));

const read = (webhookId: string, position: PagePosition = { kind: "number", number: 1 }, size = 100) =>
  feed.list(fixture.accountId, webhookId, { size, sortBy: "delivery_order", descending: false, position });
const addWebhook = () => fixture.addWebhook({ url: "https://receiver.example", sealedSecret: Buffer.alloc(40) });

test("lets a consumer miss no notification of a slow transaction", async () => {
  const webhookId = await addWebhook();
  const [early, late] = ["01980000-0000-7000-8000-000000000001", "01980000-0000-7000-8000-000000000002"];
  const slow = await database.pool.connect();
  await slow.query("BEGIN");
  await slow.query(notification, [fixture.accountId, webhookId, early]);
  await database.pool.query(notification, [fixture.accountId, webhookId, late]);
  // The later notification is committed, and the feed still ends before the running transaction.
  expect(await database.prisma.webhookNotification.count({ where: { webhookId } })).toBe(1);
  expect((await read(webhookId)).items).toEqual([]);
  await slow.query("COMMIT");
  slow.release();
  const bothListed = async () => {
    const { items } = await read(webhookId);
    return items.length === 2 && items;
  };
  const [first, ...others] = await eventually("both are shown", bothListed, visibleTimeoutMs);
  expect([first?.id, ...others.map(({ id }) => id)]).toEqual([early, late]);
  const after = { kind: "after", row: { value: first?.position ?? "", id: early } } as const;
  expect((await read(webhookId, after)).items.map(({ id }) => id)).toEqual([late]);
});

test("returns each notification once while many writers append to the feed", async () => {
  const webhookId = await addWebhook();
  const created: string[] = [];
  const write = async () => {
    for (let round = 0; round < 10; round += 1) created.push(...(await fixture.addNotifications(webhookId, 3)));
  };
  const writing = Promise.all([write(), write()]);
  const receivedIds: string[] = [];
  let position: PagePosition = { kind: "number", number: 1 };
  const follow = async (): Promise<boolean> => {
    const { items } = await read(webhookId, position, 7);
    receivedIds.push(...items.map(({ id }) => id));
    const last = items.at(-1);
    if (last) position = { kind: "after", row: { value: last.position, id: last.id } };
    return receivedIds.length >= 60;
  };
  const following = eventually("all are seen", follow, visibleTimeoutMs);
  await writing;
  await following;
  expect(receivedIds.toSorted()).toEqual(created.toSorted());
});

test("excludes other accounts, other webhooks and deleted ones", async () => {
  const [webhookId, other] = [await addWebhook(), await addWebhook()];
  await fixture.addNotifications(webhookId, 2);
  await fixture.addNotifications(other, 1);
  await eventually("they are shown", async () => (await read(webhookId)).items.length === 2, visibleTimeoutMs);
  const request = {
    size: 10,
    sortBy: "delivery_order",
    descending: false,
    position: { kind: "number", number: 1 },
  } as const;
  expect((await feed.list("01980000-0000-7000-8000-000000000009", webhookId, request)).total).toBe(0);
  await database.prisma.webhook.updateMany({ where: { id: webhookId }, data: { deletedAt: new Date() } });
  expect((await read(webhookId)).total).toBe(0);
});
