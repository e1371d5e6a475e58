import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { resealSecrets } from "./reseal-secrets.ts";
import { createSecretBox } from "./secret-box.ts";
import { openTestDatabase } from "./testing/open-test-database.ts";

const [present, former] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
const [before, after] = [createSecretBox(former), createSecretBox(present)];
const both = createSecretBox(`${present},${former}`);

const database = started(() => openTestDatabase({ applicationName: "resealing", plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));

test("re-encrypts secrets of a former key with the current one, and changes nothing else", async () => {
  const url = "https://receiver.example";
  for (let number = 0; number < 101; number += 1) {
    await fixture.addWebhook({
      url,
      sealedSecret: before.seal(`secret ${number}`),
      previousSealedSecret: before.seal("previous"),
      sealedHeaders: before.seal("headers"),
    });
  }
  const alreadyResealed = await fixture.addWebhook({ url, sealedSecret: after.seal("kept") });
  const lost = randomBytes(60);
  const half = await fixture.addWebhook({ url, sealedSecret: before.seal("half"), previousSealedSecret: lost });
  const [credentials, push] = [before.seal("credentials"), before.seal("push")];
  await database.pool.query(
    `INSERT INTO carrier_connections (account_id, id, scac, credential_kind, sealed_credentials, sealed_push_secret,
      created_at, updated_at)
     VALUES ($1, $2, 'SBXL', 'headers', $3, $4, now(), now())`,
    [fixture.accountId, randomUUID(), credentials, push],
  );
  const users = [randomUUID(), randomUUID()];
  for (const id of users) {
    const totp = { create: { sealedSecret: before.seal(id) as Buffer<ArrayBuffer>, createdAt: new Date() } };
    await database.prisma.user.create({
      data: { id, email: `${id}@example.test`, passwordHash: "x", createdAt: new Date(), totp },
    });
  }
  const rowsBefore = await database.prisma.webhook.findMany({ orderBy: { id: "asc" } });

  expect(await resealSecrets(database, after)).toEqual({ resealed: 0, unreadable: 0 });
  expect(await resealSecrets(database, both)).toEqual({ resealed: 105, unreadable: 1 });

  const rows = await database.prisma.webhook.findMany({ orderBy: { id: "asc" } });
  const secrets = rows.map(({ sealedSecret }) => after.open(sealedSecret));
  expect(secrets.toSorted()).toEqual(rowsBefore.map(({ sealedSecret }) => both.open(sealedSecret)).toSorted());
  for (const row of rows.filter(({ id }) => id !== alreadyResealed && id !== half)) {
    expect(row.previousSealedSecrets.map((secret) => after.open(secret))).toEqual(["previous"]);
    expect(after.open(row.sealedHeaders ?? Buffer.alloc(0))).toBe("headers");
  }
  expect(rows.find(({ id }) => id === half)?.previousSealedSecrets.map((secret) => Buffer.from(secret))).toEqual([
    lost,
  ]);
  const rest = ({
    sealedSecret: _secret,
    previousSealedSecrets: _previous,
    sealedHeaders: _headers,
    ...row
  }: (typeof rows)[number]) => row;
  expect(rows.map(rest)).toEqual(rowsBefore.map(rest));
  const connection = await database.prisma.carrierConnection.findFirstOrThrow();
  expect([connection.sealedCredentials, connection.sealedPushSecret].map((sealed) => after.open(sealed))).toEqual([
    "credentials",
    "push",
  ]);
  const totps = await database.prisma.userTotp.findMany({ where: { userId: { in: users } } });
  expect(totps.map(({ sealedSecret }) => after.open(sealedSecret)).toSorted()).toEqual(users.toSorted());
  expect(await resealSecrets(database, both)).toEqual({ resealed: 0, unreadable: 1 });
});
