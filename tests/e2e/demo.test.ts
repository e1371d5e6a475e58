import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { adminProgram, startCommand, svcSource } from "./harness/command-line.ts";
import { startSystem, temporaryFolder } from "./harness/system.ts";

let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
}, 240_000);
const system = started(() =>
  startSystem({
    dataDir: path.join(folder, "data"),
    environment: { SVC_RATE_LIMIT_DEFAULT: "100000", LOG_LEVEL: "warn" },
  }),
);

/** Tracked before the demo starts; the first has the digits of its numbers. */
const others = ["SBXDIR009555", "SBXTSP000124", "SBXHLD000127"];

async function containers(query: string): Promise<string[]> {
  const { token, apiBaseUrl } = system.runtime();
  const headers = { Authorization: `Token ${token}` };
  const response = await fetch(`${apiBaseUrl}/containers?page[size]=100&${query}`, { headers });
  const { data } = (await response.json()) as { data: { attributes: { number: string } }[] };
  return data.map(({ attributes }) => attributes.number);
}

test("svc demo reaches every stop reason and every event of tracking beside other shipments, and replay proves it", async () => {
  const { token, apiBaseUrl, sandbox, databaseUrl } = system.runtime();
  for (const requestNumber of others) {
    const attributes = { request_type: "bill_of_lading", request_number: requestNumber, scac: "SBXL" };
    const created = await system.api.create("/tracking_requests", "tracking_request", attributes);
    expect(created.status).toBe(201);
  }
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync(adminProgram, path.join(bin, "svc-admin"));
  const environment = {
    SVC_API_TOKEN: token,
    SVC_API_BASE_URL: apiBaseUrl,
    DATABASE_URL: databaseUrl,
    SVC_CARRIERS: JSON.stringify([{ scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox }]),
    HOME: folder,
    PATH: `${bin}:${process.env.PATH}`,
  };
  const args = ["demo", "--sandbox", sandbox, "--seed", "9555", "--pace", "200"];
  const { code, stdout, stderr } = await startCommand(svcSource, args, { environment, cwd: folder }).outcome;
  expect(stdout).toMatch(/^day +\d+\.\d {2}SBXTSP009555 {2}The vessel left the port of loading\.( \(\d\))?$/m);
  expect(stdout).toContain("SBXFOW009555  tracking ended: no return long after pickup (past_full_out_window)");
  expect(stdout).toContain("6 of 6 reasons for the end of tracking\n");
  expect(stdout).toMatch(/^(\d+) of \1 kinds of events$/m);
  expect(stdout).toMatch(/\nThe demo is complete: every kind of event [^\n]+\n$/);
  expect(stderr).toMatch(/^14 shipments from \d+ observations: 0 differences\.$/m);
  expect(code).toBe(0);
  // Lists are filtered by what terminals report: the containers of ARW were never picked up, and customs released those
  // of HLD.
  const waiting = await containers("filter[available_for_pickup]=true&filter[pickup_lfd_before]=2100-01-01");
  expect(waiting.length).toBeGreaterThan(0);
  expect(new Set(waiting)).toEqual(new Set(await containers("filter[status]=available")));
  expect(await containers("filter[has_holds]=true")).toEqual([]);
  expect((await containers("filter[has_holds]=false")).length).toBeGreaterThan(waiting.length);
  // The clock runs on, and nothing is left of the demo's webhook.
  expect(await (await fetch(`${sandbox}/_sandbox/clock`)).json()).toMatchObject({ paused: false });
  const webhooks = await fetch(`${apiBaseUrl}/webhooks`, { headers: { Authorization: `Token ${token}` } });
  expect(((await webhooks.json()) as { data: unknown[] }).data).toEqual([]);
}, 200_000);
