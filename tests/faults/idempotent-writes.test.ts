import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { connectDatabase, type Database } from "@svc/persistence";
import { seedDemoAccount, seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type CommitGate, type CommitPhase, startCommitGate } from "./commit-gate.ts";
import { builtService } from "./delivery-harness.ts";

const token = `svc_live_${randomBytes(16).toString("hex")}`;
const secretKey = randomBytes(32).toString("base64");
let database: Database;
let databaseUrl: string;
let gate: CommitGate;
let api: ServiceProcess;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  database = connectDatabase({ url: databaseUrl, applicationName: "faults", onIdleError: () => undefined });
  await seedReferenceData(database);
  await seedDemoAccount(database, { token, email: "a@example.test", password: "kite harbour", now: new Date() });
  gate = await startCommitGate(databaseUrl);
  await startApi();
}, 240_000);
afterAll(async () => {
  await api.stop();
  await gate.close();
  await database.close();
});

const startApi = async (): Promise<void> => {
  api = await startServiceProcess(builtService("api"), {
    DATABASE_URL: gate.through(databaseUrl),
    SVC_SECRET_KEY: secretKey,
    LOG_LEVEL: "warn",
  });
};

interface Post {
  readonly path: string;
  readonly key: string;
  readonly body?: object;
}

const post = ({ path, key, body }: Post): Promise<Response> =>
  fetch(`${api.url}/v2${path}`, {
    method: "POST",
    headers: { Authorization: `Token ${token}`, "Idempotency-Key": key, "Content-Type": "application/vnd.api+json" },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Sends a POST, kills the API at that moment of the transaction, and starts another one. */
async function postAndKill(request: Post, phase: CommitPhase): Promise<void> {
  const paused = gate.holdNext(phase);
  const unanswered = post(request).then(
    ({ status }) => status,
    () => "nothing",
  );
  await paused;
  api.kill("SIGKILL");
  await api.exited;
  expect(await unanswered).toBe("nothing");
  await startApi();
}

const bill = (number: string) => ({
  type: "tracking_request",
  attributes: { request_type: "bill_of_lading", request_number: number, scac: "SBXL" },
});
const requestsOf = (...numbers: string[]) =>
  database.prisma.trackingRequest.count({ where: { normalizedNumber: { in: numbers } } });

test("writes nothing when killed before the commit, and writes once when the same key is retried", async () => {
  const request = { path: "/tracking_requests", key: "one", body: { data: bill("SBXL770") } };
  await postAndKill(request, "before the commit");
  expect(await requestsOf("SBXL770")).toBe(0);
  const response = await post(request);
  expect([response.status, response.headers.get("idempotency-replayed")]).toEqual([201, null]);
  expect(await requestsOf("SBXL770")).toBe(1);
});

test("writes once when killed right after the commit, and returns the stored response to the same key [spec: G12]", async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `SBXL88${index}`);
  const request = { path: "/tracking_requests/bulk", key: "many", body: { data: numbers.map(bill) } };
  await postAndKill(request, "after the commit");
  expect(await requestsOf(...numbers)).toBe(20);
  const response = await post(request);
  expect(response.headers.get("idempotency-replayed")).toBe("true");
  expect(((await response.json()) as { meta: object }).meta).toMatchObject({ created: 20, refused: 0 });
  expect(await requestsOf(...numbers)).toBe(20);
});

test("returns a committed secret to a retry when the first response was lost", async () => {
  const attributes = { url: "https://example.com/hook", active: true, events: ["*"] };
  const request = { path: "/webhooks", key: "hook", body: { data: { attributes } } };
  const created = (await (await post(request)).json()) as { data: { id: string; attributes: { secret: string } } };
  expect(await database.prisma.webhook.count()).toBe(1);
  const rotation = { path: `/webhooks/${created.data.id}/rotate_secret`, key: "rotation" };
  await postAndKill(rotation, "after the commit");
  const rotated = (await (await post(rotation)).json()) as typeof created;
  expect(rotated.data.attributes.secret).not.toBe(created.data.attributes.secret);
  const webhook = await database.prisma.webhook.findFirstOrThrow();
  expect(webhook.previousSealedSecrets).toHaveLength(1);
});
