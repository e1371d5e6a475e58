import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type FakeCarrier, type ServiceProcess, startFakeCarrier, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { startCommand, svcSource } from "./harness/command-line.ts";
import { repository, temporaryFolder } from "./harness/system.ts";

const folder = temporaryFolder();
let line: FakeCarrier;
let api: ApiProcess;
let worker: ServiceProcess;

beforeAll(async () => {
  line = await startFakeCarrier({ headers: { "Consumer-Key": "id" }, client: { id: "id", secret: "right-s3cret" } });
  const SVC_SECRET_KEY = randomBytes(32).toString("base64");
  api = await startApiProcess({ SVC_SECRET_KEY });
  const entry = { catalogue: "MAEU", ownCredentialsOnly: true, baseUrl: line.origin, tokenUrl: `${line.origin}/token` };
  worker = await startServiceProcess(path.join(repository, "apps/tracking-worker/src/main.ts"), {
    DATABASE_URL: api.databaseUrl,
    SVC_SECRET_KEY,
    SVC_BASE_URL: api.baseUrl,
    SVC_CARRIERS: JSON.stringify([entry]),
  });
}, 240_000);
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await line?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const svc = (args: readonly string[], input = "", environment: Record<string, string> = {}) => {
  const access = { SVC_API_TOKEN: api.tenants[0].token, SVC_API_BASE_URL: api.baseUrl, HOME: folder };
  const options = { environment: { ...access, ...environment }, cwd: folder, input };
  return startCommand(process.execPath, [svcSource, ...args], options).outcome;
};

test("connects and tests carriers by svc: explains a wrong secret, accepts the right one, shows none", async () => {
  expect((await svc(["carriers", "test", "MAEU"])).code).toBe(4);
  const missing = await svc(["carriers", "connect", "maeu"], "id\n");
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("SVC_CARRIER_CLIENT_SECRET")]);

  const wrong = await svc(["carriers", "connect", "maeu"], "id\nwrong-s3cret\n");
  expect([wrong.code, wrong.stderr]).toEqual([
    5,
    expect.stringMatching(/Connected Maersk\.[\s\S]*token endpoint of Maersk/),
  ]);
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    scac: "MAEU",
    status: "rejected",
    lastTest: { code: "credentials_rejected", httpStatus: 401 },
  });

  const right = await svc(["carriers", "connect", "MAEU"], "", {
    SVC_CARRIER_CLIENT_ID: "id",
    SVC_CARRIER_CLIENT_SECRET: "right-s3cret",
  });
  expect([right.code, right.stderr]).toEqual([
    0,
    expect.stringMatching(/Replaced the credentials of Maersk\.[\s\S]*accepted/),
  ]);
  expect(JSON.parse(right.stdout)).toMatchObject({
    status: "connected",
    requestsToday: 3,
    lastTest: { code: "accepted" },
  });

  const again = await svc(["carriers", "test", "maeu"]);
  expect([again.code, JSON.parse(again.stdout).lastTest.succeeded]).toEqual([0, true]);
  const outputs = [missing, wrong, right, again].map(({ stdout, stderr }) => stdout + stderr).join("");
  expect(outputs + worker.output()).not.toContain("s3cret");
});
