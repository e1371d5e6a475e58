import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";

const kit = JSON.stringify(fileURLToPath(new URL("./index.ts", import.meta.url)));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Script of a service that runs as a separate process; `body` is the body of its start function. */
function startScript(body: string, environment: Record<string, string>, stdout: "pipe" | number): ChildProcess {
  const script = `import { processVariables, readConfig, runService, startWhenReady } from ${kit};
    await runService({
      name: "probe",
      loadConfig: (environment) => readConfig("probe", processVariables, environment),
      async start(_config, { logger, metrics }) { ${body} },
    });`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", stdout, "inherit"],
  });
  started.push(child);
  return child;
}

let nextPort = 20_000 + (process.pid % 20_000);

async function startProbe(body: string, environment: Record<string, string> = {}, stdout: "pipe" | number = "pipe") {
  nextPort += 1;
  const url = `http://127.0.0.1:${nextPort}`;
  const child = startScript(body, { PORT: String(nextPort), ...environment }, stdout);
  for (;;) {
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    if (response?.ok) return { child, url };
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sends SIGTERM. Resolves with the exit code and the time until the exit. */
async function stop(child: ChildProcess): Promise<{ code: number | null; seconds: number }> {
  const startedAtMs = performance.now();
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await exited;
  return { code, seconds: (performance.now() - startedAtMs) / 1_000 };
}

const answering = "return { handler: (_request, response) => response.send('served'), checks: {}, async close() {} };";
/** Writes 5 MB of log each second. */
const chatty = `const timer = setInterval(() => {
    for (let line = 0; line < 50; line++) logger.info({ filler: "x".repeat(1_000) }, "chatter");
  }, 10);
  return { checks: {}, async close() { clearInterval(timer); } };`;

describe("keeps serving when the log cannot be written", () => {
  const droppedLines = async (url: string) =>
    Number(/^svc_log_dropped_lines\S* (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

  async function serveAndStop(child: ChildProcess, url: string): Promise<void> {
    const deadlineMs = performance.now() + 20_000;
    while ((await droppedLines(url)) < 1_000) {
      if (performance.now() > deadlineMs) throw new Error("No lines were dropped.");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const { code, seconds } = await stop(child);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(5);
  }

  test("the reader is closed (EPIPE)", async () => {
    const { child, url } = await startProbe(chatty);
    child.stdout?.destroy();
    await serveAndStop(child, url);
  });

  test("the reader does not read", async () => {
    const { child, url } = await startProbe(chatty);
    child.stdout?.pause();
    await serveAndStop(child, url);
  });

  test("the disk is full (ENOSPC)", async () => {
    const full = fs.openSync("/dev/full", "w");
    try {
      const { child, url } = await startProbe(chatty, {}, full);
      await serveAndStop(child, url);
    } finally {
      fs.closeSync(full);
    }
  });

  test("a slow reader receives every line in order", async () => {
    const { child } = await startProbe(`for (let line = 0; line < 900; line++)
      logger.info({ line, filler: "x".repeat(1_000) }, "numbered");
      return { checks: {}, async close() {} };`);
    // Ready only after it had written them all, more than a pipe holds.
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
    });
    await Promise.all([stop(child), once(child.stdout ?? child, "end")]);
    const numbers = [...text.matchAll(/"line":(\d+)/g)].map(([, line]) => Number(line));
    expect(numbers).toEqual(Array.from({ length: 900 }, (_, line) => line));
  });
});

describe("a graceful stop", () => {
  test("fails readiness and closes each connection after its response before it refuses connections", async () => {
    const { child, url } = await startProbe(answering, { SVC_DRAIN_SECONDS: "1" });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const request = (path: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
        http
          .get(`${url}${path}`, { agent }, (response) => {
            response
              .resume()
              .once("end", () => resolve({ status: response.statusCode, connection: response.headers.connection }));
          })
          .once("error", reject);
      });
    expect(await request("/")).toEqual({ status: 200, connection: "keep-alive" });
    const stopped = stop(child);
    let reply = await request("/");
    while (reply.connection === "keep-alive") reply = await request("/");
    expect(reply).toEqual({ status: 200, connection: "close" });
    expect(await request("/readyz")).toEqual({ status: 503, connection: "close" });
    const { code, seconds } = await stopped;
    expect(code).toBe(0);
    expect(seconds).toBeGreaterThan(1);
    agent.destroy();
  });

  test("ends once the responses in progress are sent, also when their clients keep connections open", async () => {
    // The headers, sent before the stop, promise to keep the connection open.
    const slow = `return {
      handler: (_request, response) => {
        response.write("first");
        setTimeout(() => response.end("last"), 1_000);
      },
      checks: {},
      async close() {},
    };`;
    const { child, url } = await startProbe(slow);
    const agent = new http.Agent({ keepAlive: true });
    const [response] = (await once(http.get(url, { agent }), "response")) as [http.IncomingMessage];
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    const { code, seconds } = await stop(child);
    expect([code, text]).toEqual([0, "firstlast"]);
    expect(seconds).toBeLessThan(8);
    agent.destroy();
  });

  test("does not drain in a worker, which has no load balancer", async () => {
    const { child } = await startProbe("return { checks: {}, async close() {} };", { SVC_DRAIN_SECONDS: "30" });
    expect((await stop(child)).seconds).toBeLessThan(5);
  });
});

describe("/metrics", () => {
  const read = async (url: string, token?: string) => {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/metrics`, { headers });
    return [response.status, (await response.text()).includes("process_cpu_seconds_total")];
  };

  test("is closed on a port that users reach", async () => {
    const { url } = await startProbe(answering);
    expect(await read(url)).toEqual([404, false]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain("Set METRICS_PORT or SVC_METRICS_TOKEN");
  });

  test("is available there with SVC_METRICS_TOKEN", async () => {
    const { url } = await startProbe(answering, { SVC_METRICS_TOKEN: "a-token-of-the-operator" });
    expect(await read(url)).toEqual([401, false]);
    expect(await read(url, "another-token-entirely")).toEqual([401, false]);
    expect(await read(url, "a-token-of-the-operator")).toEqual([200, true]);
  });

  test("is the only route on METRICS_PORT", async () => {
    nextPort += 1;
    const metricsUrl = `http://127.0.0.1:${nextPort}`;
    const { url } = await startProbe(answering, { METRICS_PORT: String(nextPort) });
    expect(await read(metricsUrl)).toEqual([200, true]);
    expect((await fetch(`${metricsUrl}/`)).status).toBe(404);
    expect(await read(url)).toEqual([404, false]);
  });

  test("collects slow metrics once for many scrapes", async () => {
    const { url } = await startProbe(`const { Gauge } = await import("prom-client");
      let collections = 0;
      new Gauge({ name: "probe_collections", help: "x", registers: [metrics], async collect() {
        await new Promise((resolve) => setTimeout(resolve, 200));
        this.set(++collections);
      } });
      return { checks: {}, async close() {} };`);
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/metrics`)).text()));
    expect(new Set(texts.map((text) => /^probe_collections\S* (\d+)/m.exec(text)?.[1]))).toEqual(new Set(["1"]));
  });
});

test("a misspelt variable is logged at the start with the nearest known name", async () => {
  const { child } = await startProbe(answering, { SVC_DRAIN_SECOND: "5", SVC_METRICS_TOKEN: "long enough" });
  let log = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  await stop(child);
  const warnings = log.split("\n").filter((line) => line.includes("configuration.variable_unknown"));
  expect(warnings.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: "warn", variable: "SVC_DRAIN_SECOND", nearest: "SVC_DRAIN_SECONDS" }),
  ]);
});

test("a worker that cannot start after it has waited logs the reason once and ends with 1", async () => {
  const body = `
    let isReady = false;
    const check = async () => { if (!isReady) { isReady = true; throw new Error("not migrated"); } };
    const start = async () => { throw new Error("SVC_SECRET_KEY is wrong"); };
    const loops = await startWhenReady(check, start, logger);
    return { checks: {}, close: () => loops.stop() };`;
  const { child } = await startProbe(body);
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, "close");
  const lines = Buffer.concat(chunks).toString("utf8").trim().split("\n");
  expect([code, JSON.parse(lines.at(-1) ?? "")]).toMatchObject([
    1,
    { msg: "service.start_failed", err: { message: "SVC_SECRET_KEY is wrong" } },
  ]);
  expect(lines.filter((line) => line.includes("SVC_SECRET_KEY"))).toHaveLength(1);
});
