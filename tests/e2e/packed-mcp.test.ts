import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { unpackExtension, validateManifest } from "@anthropic-ai/mcpb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Client as OfficialClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as OfficialStdioTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { freePort } from "@svc/local-stores";
import { eventually, type Program, startProgram } from "@svc/testkit";
import { clientConfigurations } from "../packages/client-configurations.ts";
import { runProgram } from "../packages/packed-package.ts";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository, temporaryFolder } from "./harness/system.ts";

const configurations = clientConfigurations(path.join(repository, "docs/mcp.md"));
const local = configurations.filter((configuration) => configuration.command !== undefined);
const remote = configurations.filter((configuration) => configuration.url !== undefined);

const { version } = JSON.parse(fs.readFileSync(path.join(repository, "apps/mcp/package.json"), "utf8"));
const tarballName = `svc-mcp-${version}.tgz`;
let folder: string;
let tarball: string;
let api: ApiProcess;

beforeAll(async () => {
  folder = temporaryFolder();
  for (const name of ["home", "empty"]) fs.mkdirSync(path.join(folder, name));
  await runProgram("pnpm", ["--dir", "apps/mcp", "pack", "--pack-destination", folder], { cwd: repository });
  tarball = path.join(folder, tarballName);
  api = await startApiProcess();
  await api.addShipment(api.tenants[0], { number: "MAEU262175000", containers: ["MSKU0000006"] });
}, 240_000);
afterAll(async () => {
  await api?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Nothing of the person who runs the tests, and no registry. */
const createPlainClient = () => ({
  PATH: process.env.PATH ?? "",
  HOME: path.join(folder, "home"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
});

/** A value of a configuration, with what its reader puts in. */
const filledIn = (value: string) =>
  value
    .replace(/svc_live_…|\$\{(env:SVC_API_TOKEN|input:svc)\}|\$SVC_API_TOKEN/, api.tenants[0].token)
    .replace("http://localhost:4000/v2", api.baseUrl)
    .replace(`/path/to/${tarballName}`, tarball);
const allFilledIn = (values: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filledIn(value)]));

/** Makes the first calls of a user; the client checks each result against its schema. */
async function useServer(transport: object): Promise<unknown[]> {
  const client = new Client({ name: "e2e", version: "1" });
  const strayLines: unknown[] = [];
  client.onerror = (error) => strayLines.push(error);
  await client.connect(transport as Transport);
  expect((await client.listTools()).tools).toHaveLength(12);
  const found = await client.callTool({ name: "search_container", arguments: { query: "MSKU0000006" } });
  expect(found).toMatchObject({ structuredContent: { matches: [{ container_number: "MSKU0000006" }] } });
  await client.close();
  return strayLines;
}

test("the package is one program with its licences, and needs no other package", () => {
  const read = (file: string) => execFileSync("tar", ["-xOf", tarball, `package/${file}`], { encoding: "utf8" });
  const files = execFileSync("tar", ["-tf", tarball], { encoding: "utf8" }).trim().split("\n").sort();
  expect(files).toEqual(
    ["LICENSE", "README.md", "THIRD-PARTY-NOTICES", "package.json", "svc-mcp.js"].map((file) => `package/${file}`),
  );
  const manifest = JSON.parse(read("package.json"));
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  const { name, packages } = JSON.parse(fs.readFileSync(path.join(repository, "apps/mcp/server.json"), "utf8"));
  expect(manifest.mcpName).toBe(name);
  expect(packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }]);
  const notices = read("THIRD-PARTY-NOTICES");
  for (const name of ["@modelcontextprotocol/server", "express", "pino", "zod"])
    expect(notices).toMatch(new RegExp(`^${name} \\d.* \\((?:MIT|Apache-2.0)\\)\n\n.*(?:MIT|Permission)`, "m"));
});

test("the documentation has configurations of both kinds for the common clients", () => {
  for (const name of ["Claude Code", "Cursor", "VS Code", "Codex", "Windsurf"])
    for (const kind of [local, remote]) expect(kind.map(({ client }) => client).join()).toContain(name);
  expect(local.map(({ client }) => client).join()).toContain("Claude Desktop");
});

describe("over stdio, as configured in the documentation", () => {
  test.each(local)("$client", async ({ command = "", args = [], env }) => {
    const transport = new StdioClientTransport({
      command,
      args: args.map(filledIn),
      env: { ...createPlainClient(), ...allFilledIn(env) },
      cwd: path.join(folder, "empty"),
      stderr: "pipe",
    });
    const log = text(transport.stderr as Readable);
    // Output on stdout other than messages would be an error here.
    expect(await useServer(transport)).toEqual([]);
    expect(await log).toMatch(/"service":"mcp-stdio".*"msg":"mcp.started"/);
    expect(await log).not.toContain(api.tenants[0].token);
    expect(fs.readdirSync(path.join(folder, "empty"))).toEqual([]);
  });
});

describe("over HTTP, installed into an empty folder", () => {
  let server: Program;
  let port: number;
  const program = () => path.join(folder, "consumer/node_modules/.bin/svc-mcp");
  beforeAll(async () => {
    const consumer = path.join(folder, "consumer");
    fs.mkdirSync(consumer);
    await runProgram("npm", ["install", "--no-audit", "--no-fund", tarball], {
      cwd: consumer,
      environment: createPlainClient(),
    });
    expect(fs.readdirSync(path.join(consumer, "node_modules/@svc"))).toEqual(["mcp"]);
    port = await freePort();
    const environment = { ...createPlainClient(), PORT: String(port), SVC_API_BASE_URL: api.baseUrl };
    server = startProgram([program(), "http"], { environment, cwd: path.join(folder, "empty") });
    await eventually("svc-mcp is ready", async () => (await fetch(`http://localhost:${port}/readyz`)).ok);
  }, 180_000);
  afterAll(async () => void (await server?.stop()));

  test.each(remote)("$client", async ({ url = "", headers }) => {
    const address = new URL(url.replace(":4001", `:${port}`));
    const requestInit = { headers: allFilledIn(headers) };
    await useServer(new StreamableHTTPClientTransport(address, { requestInit }));
  });

  test("an argument that it does not know is answered with its usage, on stderr", async () => {
    const { exited, output } = startProgram([program(), "--port"], { environment: createPlainClient() });
    expect((await exited).code).toBe(2);
    expect(output()).toMatch(/^Usage: svc-mcp /);
  });
});

let bundle: string;

/** Starts the bundle as a desktop application does, with the settings that its user typed. */
async function startBundle(readOnly: boolean): Promise<OfficialClient> {
  const manifest = JSON.parse(fs.readFileSync(path.join(bundle, "manifest.json"), "utf8"));
  const { command, args, env } = manifest.server.mcp_config;
  const values: Readonly<Record<string, string>> = {
    __dirname: bundle,
    "user_config.api_token": api.tenants[0].token,
    "user_config.api_base_url": api.baseUrl,
    "user_config.read_only": String(readOnly),
  };
  const filledIn = (text: string) => text.replace(/\$\{([\w.]+)\}/g, (_, name: string) => values[name] ?? "");
  const filledInEnv = Object.fromEntries(
    Object.entries<string>(env).map(([name, value]) => [name, filledIn(value)] as const),
  );
  const client = new OfficialClient({ name: "desktop", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new OfficialStdioTransport({
      command: command === "node" ? process.execPath : command,
      args: args.map(filledIn),
      env: filledInEnv,
      stderr: "ignore",
    }),
  );
  return client;
}

describe("the bundle for desktop applications", () => {
  beforeAll(async () => {
    bundle = path.join(folder, "bundle");
    const mcpbPath = path.join(folder, "svc-mcp.mcpb");
    await runProgram("node", ["apps/mcp/tools/make-desktop-bundle.ts", mcpbPath], { cwd: repository });
    await unpackExtension({ mcpbPath, outputDir: bundle, silent: true });
  }, 60_000);

  test("has a manifest of the published schema that asks for the token as a secret", () => {
    expect(validateManifest(path.join(bundle, "manifest.json"))).toBe(true);
    const { user_config, tools } = JSON.parse(fs.readFileSync(path.join(bundle, "manifest.json"), "utf8"));
    expect(user_config.api_token).toMatchObject({ required: true, sensitive: true });
    expect(tools).toHaveLength(12);
  });

  test("unpacked in an empty folder it serves the tools, or only those that read", async () => {
    const client = await startBundle(false);
    const found = await client.callTool({ name: "search_container", arguments: { query: "MSKU0000006" } });
    expect(found.structuredContent).toMatchObject({ matches: [{ container_number: "MSKU0000006" }] });
    await client.close();
    const reader = await startBundle(true);
    const names = (await reader.listTools()).tools.map(({ name }) => name);
    expect([names.length, names.includes("update_shipment")]).toEqual([10, false]);
    await reader.close();
  });
});
