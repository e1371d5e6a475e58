import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { waitForExit } from "@svc/local-stores";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";

const require = createRequire(import.meta.url);
const inspector = require.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js");

let api: ApiProcess;
let mcp: ServiceProcess;
let home: string;
let containerId: string;

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "svc-inspector-"));
  api = await startApiProcess();
  const { containerIds } = await api.addShipment(api.tenants[0], {
    number: "MAEU262175000",
    containers: ["MSKU0000006"],
  });
  containerId = containerIds[0] ?? "";
  mcp = await startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    LOG_LEVEL: "warn",
  });
}, 180_000);
afterAll(async () => {
  await mcp?.stop();
  await api?.stop();
  if (home) fs.rmSync(home, { recursive: true });
});

interface Inspection {
  readonly code: number | null;
  readonly output: string;
  readonly log: string;
}

/** One run of the MCP Inspector's command line. Its exit code says what it thinks of the server. */
async function inspect(args: readonly string[], program: readonly string[] = []): Promise<Inspection> {
  const child = spawn(process.execPath, [inspector, "--cli", "--format", "json", "-q", ...args, ...program], {
    env: { PATH: process.env.PATH, HOME: home },
    cwd: home,
  });
  let [output, log] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (log += String(chunk)));
  return { code: (await waitForExit(child)).code, output, log };
}

const overHttp = (token: string, ...args: readonly string[]) =>
  inspect([
    "--server-url",
    `${mcp.url}/mcp`,
    "--transport",
    "http",
    "--stored-auth-only",
    "--header",
    `Authorization: Bearer ${token}`,
    ...args,
  ]);

const questions = (): readonly (readonly [string, ...string[]])[] => [
  ["MSKU0000006", "--method", "tools/call", "--tool-name", "search_container", "--tool-arg", "query=MSKU0000006"],
  ["svc://docs/milestone-glossary", "--method", "resources/list"],
  ["svc://container/{id}", "--method", "resources/templates/list"],
  ["MSKU0000006", "--method", "resources/read", "--uri", `svc://container/${containerId}`],
  ["check-demurrage", "--method", "prompts/list"],
  [
    "track_container(number=MSKU0000006",
    "--method",
    "prompts/get",
    "--prompt-name",
    "track-shipment",
    "--prompt-args",
    "container_number=MSKU0000006",
  ],
];

describe.each(["legacy", "auto", "modern"])("the MCP Inspector, %s [spec: mcp.endpoint]", (era) => {
  test("lists the tools and finds no fault with their schemas", async () => {
    const { code, output, log } = await overHttp(
      api.tenants[0].token,
      "--protocol-era",
      era,
      "--method",
      "tools/list",
      "--strict",
    );
    expect([code, log]).toEqual([0, ""]);
    expect(JSON.parse(output)).toMatchObject({ result: { tools: expect.any(Array) } });
    expect(output).not.toMatch(/warning/i);
  }, 180_000);

  test("calls a tool, reads a resource, gets a prompt", async () => {
    const runs = questions().map(async ([expected, ...args]) => {
      const { code, output, log } = await overHttp(api.tenants[0].token, "--protocol-era", era, ...args);
      expect([args[1], code, log]).toEqual([args[1], 0, ""]);
      expect(output).toContain(expected);
    });
    await Promise.all(runs);
  }, 240_000);
});

test("the Inspector distinguishes a rejected token (3) from an unknown tool (5)", async () => {
  expect((await overHttp("svc_live_nobody", "--method", "tools/list")).code).toBe(3);
  const unknown = ["--method", "tools/call", "--tool-name", "drop_tables"];
  expect((await overHttp(api.tenants[0].token, ...unknown)).code).toBe(5);
}, 180_000);

test("the Inspector over stdio [spec: mcp.stdio]", async () => {
  const settings = ["-e", `SVC_API_BASE_URL=${api.baseUrl}`, "-e", `SVC_API_TOKEN=${api.tenants[0].token}`];
  const program = ["--", process.execPath, path.join(repository, "apps/mcp/src/stdio.ts")];
  const { code, output } = await inspect(["--method", "prompts/list", ...settings], program);
  expect(code).toBe(0);
  expect(output).toContain("track-shipment");
}, 180_000);
