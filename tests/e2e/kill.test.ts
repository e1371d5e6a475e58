import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { readNotification } from "./harness/notifications.ts";
import { type System, startSystem, temporaryFolder } from "./harness/system.ts";

const timeoutMs = 120_000;
const requestsPerKill = 8;

const queues = findRedisProgram() ? ["redis", "postgres"] : ["postgres"];

describe.each(queues)("kill -9 of any process loses nothing, queue in %s", (queue) => {
  const dataDir = temporaryFolder();
  const requested: string[] = [];
  let system: System;
  let sink: WebhookSink;
  let nextNumber = 1;

  const succeeded = () =>
    sink.deliveries.map(readNotification).filter(({ event }) => event === "tracking_request.succeeded");

  /**
   * Creates one request, again and again while the API is unreachable, as a client would. A key makes the repetition
   * harmless.
   */
  async function createRequest(): Promise<string> {
    const number = `SBXDIR${String(nextNumber).padStart(6, "0")}`;
    nextNumber += 1;
    return eventually(`the API takes ${number}`, async () => {
      const { status, body } = await system.api.request("POST", "/tracking_requests", {
        body: {
          data: {
            type: "tracking_request",
            attributes: { request_type: "bill_of_lading", request_number: number, scac: "SBXL" },
          },
        },
        headers: { "idempotency-key": `e2e-${number}` },
      });
      if (status === 201) return body.data.id;
      // The request was committed and the answer died with the process: the error names what the first attempt made.
      const [problem] = body.errors ?? [];
      if (problem?.code === "duplicate") return problem.meta?.tracking_request_id;
      throw new Error(`it answers ${status} ${problem?.code}`);
    });
  }

  beforeAll(async () => {
    const environment = { SVC_RATE_LIMIT_DEFAULT: "10000", SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST: "10000" };
    [system, sink] = await Promise.all([
      startSystem({ dataDir, args: ["--queue", queue], environment }),
      startWebhookSink(),
    ]);
    const attributes = { url: sink.url, active: true, events: ["tracking_request.succeeded"] };
    expect((await system.api.create("/webhooks", "webhook", attributes)).status).toBe(201);
  }, timeoutMs);
  afterAll(async () => {
    await system?.stop();
    await sink?.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  const victims = ["api", "tracking-worker", "webhook-worker", "carrier-sandbox", "mcp", "deeplink", "postgres"];

  test.each(queue === "redis" ? [...victims, "redis"] : victims)(
    "%s",
    async (victim) => {
      const before = system.runtime().pids[victim];
      const half = Array.from({ length: requestsPerKill / 2 }, createRequest);
      process.kill(before ?? 0, "SIGKILL");
      const created = await Promise.all([...half, ...Array.from({ length: requestsPerKill / 2 }, createRequest)]);
      requested.push(...created);

      const after = await eventually("another process", () => {
        const pid = system.runtime().pids[victim];
        return pid !== before && pid;
      });
      // The launcher's output comes through a pipe, a moment later than its file.
      for (const line of [
        `${victim} was ended by SIGKILL; it is started again`,
        `${victim} runs again as process ${after}.`,
      ]) {
        await eventually(line, () => system.launcher.output().includes(line));
      }

      await eventually(
        "every request was notified",
        () => created.every((id) => succeeded().some(({ referenceId }) => referenceId === id)),
        60_000,
      );
    },
    timeoutMs,
  );

  test("every request was notified under one id, however often it was delivered", () => {
    const ids = new Map<string, Set<string>>();
    for (const { id, referenceId } of succeeded()) {
      ids.set(String(referenceId), (ids.get(String(referenceId)) ?? new Set()).add(id));
    }
    expect([...ids.keys()].sort()).toEqual([...requested].sort());
    expect([...ids.values()].map(({ size }) => size)).toEqual(requested.map(() => 1));
  });

  test("leaves no request partly processed", async () => {
    const { body } = await system.api.get("/tracking_requests?page[size]=100");
    expect(new Set(body.data.map(({ attributes }) => attributes.status))).toEqual(new Set(["created"]));
    expect(body.data).toHaveLength(requested.length);
  });
});
