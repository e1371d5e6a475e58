import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { commandOf, waitForExit } from "@svc/local-stores";
import { connectDatabase } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import {
  freePortBase,
  readRuntime,
  repository,
  type System,
  startLauncher,
  startSystem,
  temporaryFolder,
} from "./harness/system.ts";

const timeoutMs = 120_000;
const stopLimitMs = 10_000;

const isAlive = (pid: number) => commandOf(pid) !== undefined;

/** The processes of a system: what must be gone when it is. */
function processesOf(system: System): number[] {
  return Object.values(system.runtime().pids);
}

describe("a running system", () => {
  const dataDir = temporaryFolder();
  const published = path.join(dataDir, "published", "runtime.json");

  const system = started(() =>
    startSystem({
      dataDir,
      environment: { SVC_DEMO_TOKEN: "svc_live_chosen", SVC_RUNTIME_FILE: published },
    }),
  );

  test("writes every address to a file that only its owner may read", () => {
    const { portBase } = system;
    expect(system.runtime()).toMatchObject({
      api: `http://localhost:${portBase}`,
      mcp: `http://localhost:${portBase + 1}`,
      app: `http://localhost:${portBase + 2}`,
      sandbox: `http://localhost:${portBase + 3}`,
      token: "svc_live_chosen",
      dataDir,
    });
    expect(fs.statSync(path.join(dataDir, "runtime.json")).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(JSON.parse(fs.readFileSync(published, "utf8"))).toEqual(system.runtime());
  });

  test("prints the addresses, the token, the login and three commands to paste [spec: service.7]", async () => {
    await eventually("the last line", () => system.launcher.output().includes("Stop with Ctrl-C"));
    const output = system.launcher.output();
    const { api, mcp, app, sandbox, token, login } = system.runtime();
    for (const part of [`${api}/v2`, mcp, app, sandbox, token, login.email, login.password])
      expect(output).toContain(part);
    expect(output).toMatch(/curl -s -X POST \S+\/v2\/tracking_requests .*SBXDIR\d{6}/);
    expect(output).toMatch(/curl -s "\S+\/v2\/shipments/);
    expect(output).toContain("npm run demo:receiver");
  });

  test("every service answers that it is alive, ready, and measured [spec: P25]", async () => {
    for (const offset of [0, 1, 2, 3, 10, 11]) {
      for (const route of ["healthz", "readyz", "metrics"]) {
        const headers = { authorization: `Bearer ${system.runtime().token}` };
        const response = await fetch(`http://127.0.0.1:${system.portBase + offset}/${route}`, { headers });
        expect([offset, route, response.status]).toEqual([offset, route, 200]);
      }
    }
  });

  test("other users of the machine enter neither the stores nor the MCP server nor the metrics", async () => {
    const { databaseUrl, mcp, api } = system.runtime();
    for (const password of ["", "guessed"]) {
      const url = Object.assign(new URL(databaseUrl), { password }).href;
      const database = connectDatabase({ url, applicationName: "stranger", onIdleError: () => undefined });
      await expect(database.ping()).rejects.toThrow(/password/);
      await database.close();
    }
    expect((await fetch(`${mcp}/mcp`, { method: "POST", body: "{}" })).status).toBe(401);
    expect((await fetch(`${api}/metrics`)).status).toBe(401);
    for (const pid of Object.values(system.runtime().pids)) {
      expect([pid, commandOf(pid)?.includes(new URL(databaseUrl).password)]).toEqual([pid, false]);
    }
  });

  test("llms.txt names existing pages, operations and tools", async () => {
    const { app, api, apiBaseUrl, mcp, token } = system.runtime();
    const response = await fetch(`${app}/llms.txt`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const text = await response.text();
    expect(text).toContain(`\`${mcp}/mcp\``);
    for (const [, address] of text.matchAll(/\]\((http[^)]+)\)/g)) {
      expect([address, (await fetch(address ?? "")).status]).toEqual([address, 200]);
    }
    const rows = [...text.matchAll(/^\| `(\/[^`]*)` \| [^|]+ \| `GET ([^`]+)` \| (?:`(\w+)`|none) \|$/gm)];
    expect(rows.length).toBe(text.match(/^\| `\//gm)?.length);
    expect(rows.length).toBeGreaterThan(9);
    const { paths } = (await (await fetch(`${api}/v2/openapi.json`)).json()) as { paths: object };
    const listed = await fetch(`${mcp}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    const tools = await listed.text();
    for (const [, page = "", operation, tool] of rows) {
      expect(Object.keys(paths)).toContain(operation);
      if (tool !== undefined) expect(tools).toContain(`"name":"${tool}"`);
      // Pages redirect to the login without a session; unknown pages are 404.
      const redirect = await fetch(`${app}${page.replace("{id}", crypto.randomUUID())}`, { redirect: "manual" });
      expect([page, redirect.headers.get("location")]).toEqual([page, expect.stringMatching(/^\/login\?next=/)]);
    }
    expect(apiBaseUrl).toBe(`${api}/v2`);
  });

  test("a second launcher of the same data is refused in one sentence", async () => {
    const second = startLauncher(["--port-base", String(await freePortBase()), "--data-dir", dataDir]);
    expect((await second.exited).code).toBe(1);
    expect(second.output().trim()).toMatch(/^The data in \S+ is in use by a launcher that runs already[^\n]+$/);
    expect(readRuntime(dataDir).pids.launcher).toBe(system.launcher.pid);
  });
});

describe("two systems of one checkout", () => {
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  afterAll(() => {
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  });

  test(
    "the second leaves the file of the first alone, and says where its own is",
    async () => {
      const [firstData, secondData] = folders;
      const published = path.join(firstData, "published.json");
      const environment = { SVC_RUNTIME_FILE: published };
      const publishedLauncher = () => JSON.parse(fs.readFileSync(published, "utf8")).pids.launcher;
      const first = await startSystem({ dataDir: firstData, environment });
      const second = await startSystem({ dataDir: secondData, environment });
      try {
        expect(publishedLauncher()).toBe(first.launcher.pid);
        expect(readRuntime(secondData).pids.launcher).toBe(second.launcher.pid);
        expect(second.launcher.output()).toContain(
          `${published} describes the system of process ${first.launcher.pid}, which tools keep using`,
        );
        await second.stop();
        expect(publishedLauncher()).toBe(first.launcher.pid);
      } finally {
        await Promise.all([first.stop(), second.stop()]);
      }
      expect(fs.existsSync(published)).toBe(false);
    },
    timeoutMs,
  );
});

describe("a launcher that cannot start", () => {
  const dataDir = temporaryFolder();
  afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

  test("names the port that is taken, and leaves nothing behind", async () => {
    const base = await freePortBase();
    const squatter = net.createServer().listen(base + 2, "127.0.0.1");
    try {
      const launcher = startLauncher(["--port-base", String(base), "--data-dir", dataDir]);
      expect((await launcher.exited).code).toBe(1);
      expect(launcher.output().trim()).toMatch(new RegExp(`^Port ${base + 2} \\(deeplink\\) is taken;[^\\n]+$`));
      expect(fs.readdirSync(dataDir)).toEqual([]);
    } finally {
      squatter.close();
    }
  });

  test("says that nothing answers at REDIS_URL, and leaves no process", async () => {
    const args = ["--port-base", String(await freePortBase()), "--data-dir", dataDir];
    const launcher = startLauncher(args, { REDIS_URL: "redis://127.0.0.1:1" });
    expect((await launcher.exited).code).toBe(1);
    expect(launcher.output().trim()).toMatch(/^Nothing answers at REDIS_URL;[^\n]+$/);
    expect(fs.existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
  });

  test(
    "says what to do with the data of an unreleased version, and keeps it",
    async () => {
      const system = await startSystem({ dataDir });
      const { databaseUrl } = system.runtime();
      const database = connectDatabase({ url: databaseUrl, applicationName: "older", onIdleError: () => undefined });
      try {
        await database.pool.query("UPDATE _prisma_migrations SET migration_name = '20260101000000_unreleased'");
      } finally {
        await database.close();
        await system.stop();
      }
      const secrets = fs.readFileSync(path.join(dataDir, "secrets.json"), "utf8");
      const args = ["--port-base", String(await freePortBase()), "--data-dir", dataDir];
      const launcher = startLauncher(args);
      expect((await launcher.exited).code).toBe(1);
      expect(launcher.output().trim()).toMatch(
        /^The migrations of this database do not begin with \w+, so an unreleased version created it\. Use an empty database; `npm start -- --fresh` deletes the data of earlier starts\.$/,
      );
      expect(fs.readFileSync(path.join(dataDir, "secrets.json"), "utf8")).toBe(secrets);
      expect(fs.existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
    },
    timeoutMs,
  );
});

describe("the end of a system", () => {
  const dataDir = temporaryFolder();
  let left: number[] = [];

  afterEach(() => {
    for (const pid of left.filter(isAlive)) process.kill(pid, "SIGKILL");
    left = [];
  });
  afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

  test(
    "Ctrl-C on `npm start` stops every process within 10 s",
    async () => {
      const args = ["start", "--", "--port-base", String(await freePortBase()), "--data-dir", dataDir];
      // A group of its own, as a terminal gives it: the signal reaches npm and everything below it at once.
      const env = { ...process.env, SVC_RUNTIME_FILE: path.join(dataDir, "runtime.json") };
      const npm = spawn("npm", args, { cwd: repository, env, detached: true, stdio: "ignore" });
      const exited = waitForExit(npm);
      const { pids } = await eventually("the system is ready", () => readRuntime(dataDir), timeoutMs);
      left = Object.values(pids);
      expect(left.every(isAlive)).toBe(true);
      const interruptedAt = performance.now();
      process.kill(-(npm.pid ?? 0), "SIGINT");
      await exited;
      expect(left.filter(isAlive)).toEqual([]);
      expect(performance.now() - interruptedAt).toBeLessThan(stopLimitMs);
      expect(fs.existsSync(path.join(dataDir, "runtime.json"))).toBe(false);
    },
    timeoutMs,
  );

  test(
    "a killed launcher leaves no process, and the next start finds the data as it was",
    async () => {
      const system = await startSystem({ dataDir });
      const { token } = system.runtime();
      left = processesOf(system);
      const webhook = { url: "https://example.com/kept", active: true, events: ["tracking_request.succeeded"] };
      const created = await system.api.create("/webhooks", "webhook", webhook);
      expect(created.status).toBe(201);
      system.launcher.kill("SIGKILL");
      await eventually("all processes are gone", () => left.every((pid) => !isAlive(pid)), stopLimitMs);

      const next = await startSystem({ dataDir });
      try {
        expect(next.runtime().token).toBe(token);
        const { body } = await next.api.get("/webhooks");
        expect(body.data.map(({ attributes }) => attributes.url)).toEqual([webhook.url]);
      } finally {
        await next.stop();
      }

      const fresh = await startSystem({ dataDir, args: ["--fresh"] });
      try {
        expect(fresh.runtime().token).not.toBe(token);
        expect((await fresh.api.get("/webhooks")).body.data).toEqual([]);
      } finally {
        await fresh.stop();
      }
    },
    timeoutMs,
  );
});
