import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { resealSecrets } from "../reseal-secrets.ts";
import { createSecretBox } from "../secret-box.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { removeDeletedWebhooks } from "./deleted-webhooks.ts";
import { createWebhookRepository } from "./webhook-repository.ts";

const key = () => randomBytes(32).toString("base64");
const formerKey = key();
const box = createSecretBox(formerKey);
const now = instant("2026-11-22T10:00:00Z");

const database = started(openTestDatabase);
const fixture = started(() => createDeliveryFixture(database.url));

const addWebhook = () =>
  fixture.addWebhook({
    url: "https://receiver.example/",
    sealedSecret: box.seal("whsec_c2VjcmV0"),
    previousSealedSecret: box.seal("whsec_b2xk"),
    sealedHeaders: box.seal("[]"),
  });
const rowOf = (id: string) => database.prisma.webhook.findFirst({ where: { id } });
const deleteOne = (id: string) =>
  createWebhookRepository(database.tenantSql, box).delete(fixture.accountId, id, { now, ifVersions: null });
const statuses = async (webhookId: string) =>
  (await database.prisma.webhookDelivery.findMany({ where: { webhookId } })).map((row) => row.deliveryStatus);

test("clears the secrets of a deleted webhook and fails its pending deliveries at once", async () => {
  const [id, other] = [await addWebhook(), await addWebhook()];
  await fixture.setDueAt(await fixture.addNotifications([id, other], 2), "1 day");
  expect(await deleteOne(id)).toBe(true);
  expect(await statuses(id)).toEqual(["failed", "failed"]);
  expect(await statuses(other)).toEqual(["pending", "pending"]);
  expect(await rowOf(id)).toMatchObject({
    active: false,
    sealedSecret: new Uint8Array(),
    previousSealedSecrets: [],
    previousSecretsUntil: [],
    sealedHeaders: null,
  });
  expect((await rowOf(other))?.sealedHeaders).not.toBeNull();
  expect(await deleteOne(id)).toBe(false);
  // No secret of it remains to be re-encrypted.
  const replaced = createSecretBox(`${key()},${formerKey}`);
  expect(await resealSecrets(database, replaced)).toEqual({ resealed: 1, unreadable: 0 });
});

test("removes its row after its last notification, and clears the secrets of one that an earlier version deleted", async () => {
  const [notified, silent, before, live] = [
    await addWebhook(),
    await addWebhook(),
    await addWebhook(),
    await addWebhook(),
  ];
  await fixture.addNotifications(notified, 1);
  await deleteOne(notified);
  await deleteOne(silent);
  const deletedAt = new Date(Date.now() - 2 * 3_600_000);
  await database.prisma.webhook.updateMany({ where: { id: { in: [notified, silent] } }, data: { deletedAt } });
  await database.prisma.webhook.updateMany({ where: { id: before }, data: { deletedAt: new Date() } });
  expect(await removeDeletedWebhooks(database.sql)).toBe(1);
  expect(await rowOf(silent)).toBeNull();
  expect(await rowOf(notified)).not.toBeNull();
  expect((await rowOf(before))?.sealedSecret).toEqual(new Uint8Array());
  expect((await rowOf(live))?.sealedSecret).not.toHaveLength(0);
  await fixture.pool.query("TRUNCATE webhook_deliveries, webhook_notifications, notification_events");
  expect(await removeDeletedWebhooks(database.sql)).toBeGreaterThan(0);
  expect(await rowOf(notified)).toBeNull();
  expect(await rowOf(live)).not.toBeNull();
});
