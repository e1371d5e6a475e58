import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { createSecretBox } from "../secret-box.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { openHeaders, sealPlainHeaders } from "./sealed-headers.ts";

const box = createSecretBox(randomBytes(32).toString("base64"));
const sealedSecret = randomBytes(40);

const database = started(() => openTestDatabase({ applicationName: "sealing", plans: "by_index_in_turn" }));
const fixture = started(() => createDeliveryFixture(database.url));

test("encrypts headers that an earlier version stored unencrypted, without a new version", async () => {
  const url = "https://receiver.example";
  const headers = [{ name: "Authorization", value: "Bearer harbour-lamp-4711" }];
  const sealedHeaders = box.seal(JSON.stringify([{ name: "X-Other", value: "1" }]));
  await Promise.all(Array.from({ length: 205 }, () => fixture.addWebhook({ url, sealedSecret, headers })));
  const without = await fixture.addWebhook({ url, sealedSecret });
  const already = await fixture.addWebhook({ url, sealedSecret, sealedHeaders });
  const rewritten = await fixture.addWebhook({ url, sealedSecret, sealedHeaders, headers });
  const before = await database.prisma.webhook.findMany({ orderBy: { id: "asc" } });

  // Two workers start concurrently.
  const [one, other] = await Promise.all([sealPlainHeaders(database, box), sealPlainHeaders(database, box)]);
  expect(one + other).toBe(206);

  const rows = await database.prisma.webhook.findMany({ orderBy: { id: "asc" } });
  expect(JSON.stringify(rows.map((row) => row.headers))).not.toContain("harbour-lamp");
  for (const row of rows) expect(Buffer.from(row.sealedHeaders ?? []).includes("harbour-lamp")).toBe(false);
  const opened = new Map(
    rows.map((row) => [row.id, openHeaders({ sealedHeaders: row.sealedHeaders, plainHeaders: [] }, box)]),
  );
  expect(opened.get(without)).toEqual([]);
  expect(opened.get(already)).toEqual([{ name: "X-Other", value: "1" }]);
  expect(opened.get(rewritten)).toEqual(headers);
  expect([...opened.values()].filter((found) => JSON.stringify(found) === JSON.stringify(headers))).toHaveLength(206);
  const rest = ({ headers: _plain, sealedHeaders: _sealed, ...row }: (typeof rows)[number]) => row;
  expect(rows.map(rest)).toEqual(before.map(rest));
  expect(await sealPlainHeaders(database, box)).toBe(0);
});
