import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { startCommand, svcSource } from "./harness/command-line.ts";
import { temporaryFolder } from "./harness/system.ts";

let api: ApiProcess;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  api = await startApiProcess();
  const [own] = api.tenants;
  await api.addShipment(own, { number: "MAEU262175000", departedAt: new Date("2026-10-02T00:00:00Z") });
  for (let index = 0; index < 3; index++) await api.addShipment(own, { number: `SBXL90000${index}`, scac: "SBXL" });
}, 240_000);
afterAll(async () => {
  await api?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const svc = (...args: readonly string[]) => {
  const environment = { SVC_API_TOKEN: api.tenants[0].token, SVC_API_BASE_URL: api.baseUrl, HOME: folder };
  return startCommand(process.execPath, [svcSource, ...args], { environment, cwd: folder, input: "" }).outcome;
};
const numbersOf = ({ stdout }: { readonly stdout: string }): string[] =>
  JSON.parse(stdout).items.map(({ billOfLadingNumber }: { billOfLadingNumber: string }) => billOfLadingNumber);

test("svc views saves a view, which svc shipments list applies by its name", async () => {
  const settings = ["--filter", "carrier=SBXL", "--sort", "created_at", "--columns", "route", "--shared"];
  const created = await svc("views", "create", "shipments", "Sandbox line", ...settings);
  expect(created).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(created.stdout)).toMatchObject({ filters: { carrier: "SBXL" }, columns: ["route"], shared: true });
  expect(numbersOf(await svc("shipments", "list", "--view", "sandbox LINE"))).toEqual([
    "SBXL900000",
    "SBXL900001",
    "SBXL900002",
  ]);
  expect(numbersOf(await svc("shipments", "list", "--view", "Sandbox line", "--carrier", "MAEU"))).toEqual([
    "MAEU262175000",
  ]);
  expect(await svc("exceptions", "list", "--view", "Sandbox line")).toMatchObject({ code: 4 });

  const update = ["--name", "Afloat", "--filter", "status=in_transit", "--filter", "tracking=active"];
  const updated = JSON.parse((await svc("views", "update", "Sandbox line", ...update)).stdout);
  expect(updated).toMatchObject({ name: "Afloat", filters: { status: "in_transit", tracking: "active" } });
  expect(numbersOf(await svc("shipments", "list", "--view", "Afloat"))).toEqual(["MAEU262175000"]);
  await svc("views", "update", "Afloat", "--filter", "customer=Retail");
  expect(await svc("shipments", "list", "--view", "Afloat")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("/shipment_overviews?filter"),
  });
  expect(JSON.parse((await svc("views", "update", "Afloat", "--no-filters")).stdout).filters).toEqual({});

  expect(JSON.parse((await svc("views", "create", "shipments", "Mine")).stdout).shared).toBe(false);
  expect((await svc("views", "create", "ports", "x")).code).toBe(2);
  expect((await svc("views", "create", "shipments", "x", "--filter", "status")).code).toBe(2);
  expect(await svc("views", "delete", "Afloat")).toMatchObject({ code: 0, stderr: "Deleted Afloat.\n" });
  expect((await svc("views", "delete", "Afloat")).code).toBe(4);
}, 240_000);
