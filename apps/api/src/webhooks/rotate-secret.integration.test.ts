import { beforeEach, expect, test } from "@jest/globals";
import { documentSchema } from "@svc/jsonapi/documents";
import { WebhookResource } from "@svc/jsonapi/webhooks";
import { previousSecretsMax } from "@svc/persistence/webhooks";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

let id: string;
let firstSecret: string;
const api = started(startTestApi);
beforeEach(async () => {
  const attributes = { url: "https://example.com/hook", active: true, events: ["*"] };
  const { data } = (await api.request("/webhooks", { method: "POST", body: { data: { attributes } } })).body;
  id = data.id;
  firstSecret = data.attributes.secret;
});

const rotate = (request: object = {}) => api.request(`/webhooks/${id}/rotate_secret`, { method: "POST", ...request });
const hoursFromNow = (time: Date) => (time.getTime() - Date.now()) / 3_600_000;

test("200: the webhook with a new secret, in one statement", async () => {
  api.takeStatements();
  const { status, headers, body } = await rotate();
  expect(api.takeStatements()).toEqual(["webhooks.rotate-secret"]);
  expect([status, documentSchema(WebhookResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  expect(body.data.attributes.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(body.data.attributes.secret).not.toBe(firstSecret);
  const read = await api.request(`/webhooks/${id}`);
  expect([read.body, read.headers.get("etag")]).toEqual([body, headers.get("etag")]);
});

test("keeps each old secret for a day, the latest first", async () => {
  const secrets = [firstSecret];
  for (let count = 0; count < 2; count++) secrets.unshift((await rotate()).body.data.attributes.secret);
  const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
  expect(row.previousSealedSecrets).toHaveLength(2);
  for (const until of row.previousSecretsUntil) expect(Math.abs(hoursFromNow(until) - 24)).toBeLessThan(0.1);
  const stored = Buffer.concat([row.sealedSecret, ...row.previousSealedSecrets]);
  for (const secret of secrets) expect(stored.includes(secret)).toBe(false);
  const past = new Date(Date.now() - 1_000);
  await api.database.prisma.webhook.updateMany({ where: { id }, data: { previousSecretsUntil: [past, past] } });
  await rotate();
  const after = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
  expect(after.previousSealedSecrets).toEqual([row.sealedSecret]);
});

test("rotations at the same time lose no secret", async () => {
  const responses = await Promise.all([rotate(), rotate(), rotate()]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
  expect(row.previousSealedSecrets).toHaveLength(3);
  expect(row.rowVersion).toBe(4);
});

test("409: too many old secrets still sign", async () => {
  for (let count = 0; count < previousSecretsMax; count++) expect((await rotate()).status).toBe(200);
  const { status, body } = await rotate();
  expect([status, body.errors[0].code]).toEqual([409, "conflict"]);
});

test("the same Idempotency-Key rotates once", async () => {
  const headers = { "Idempotency-Key": `rotate-${id}` };
  expect((await rotate({ headers })).body).toEqual((await rotate({ headers })).body);
});

test("404 of another account, 412 of another version, 403 with a token that may only read", async () => {
  expect((await rotate({ token: (await api.createAccount()).token })).status).toBe(404);
  expect((await rotate({ headers: { "If-Match": '"9-x"' } })).status).toBe(412);
  expect((await rotate({ token: api.account.readToken })).status).toBe(403);
  const row = await api.database.prisma.webhook.findFirstOrThrow({ where: { id } });
  expect(row).toMatchObject({ rowVersion: 1, previousSealedSecrets: [] });
  await api.request(`/webhooks/${id}`, { method: "DELETE" });
  expect((await rotate()).status).toBe(404);
});
