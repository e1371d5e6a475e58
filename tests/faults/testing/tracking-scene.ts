import { once } from "node:events";
import fs from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect } from "@jest/globals";
import { seedReferenceData } from "@svc/persistence/seed";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, builtService, type DeliveryHarness, startDeliveryHarness } from "../delivery-harness.ts";
import { startTcpSwitch, type TcpSwitch, throughSwitch } from "../tcp-switch.ts";

/** Within this time after an outage everything works as before. */
export const recoveryMs = 30_000;

/** The stores, a receiver and the sandbox carrier of one scenario, whose tests can run beside those of others. */
export class TrackingScene {
  readonly rig: DeliveryHarness;
  readonly databaseUrl: string;
  private readonly closing: (() => Promise<unknown>)[] = [];

  private constructor(harness: DeliveryHarness) {
    this.rig = harness;
    this.databaseUrl = String(harness.database.pool.options.connectionString);
    this.closing.push(() => harness.close());
  }

  /** Runs a scenario and closes what it started, however it ends. */
  static async run(scenario: (scene: TrackingScene) => Promise<void>): Promise<void> {
    const scene = new TrackingScene(await startDeliveryHarness(1));
    try {
      await seedReferenceData(scene.rig.database);
      await scenario(scene);
    } finally {
      for (const close of scene.closing.reverse()) await close();
    }
  }

  async startSwitch(url: string): Promise<TcpSwitch & { readonly url: string }> {
    const link = await startTcpSwitch(Number(new URL(url).port));
    this.closing.push(() => link.close());
    return { ...link, url: throughSwitch(url, link) };
  }

  async startSandbox(): Promise<ServiceProcess> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-vanished-"));
    const sandbox = await startServiceProcess(builtService("carrier-sandbox"), {
      SVC_SANDBOX_DATA_DIR: folder,
      SVC_SANDBOX_TIME_SCALE: "1",
      LOG_LEVEL: "warn",
    });
    this.closing.push(async () => {
      await sandbox.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });
    return sandbox;
  }

  /** How often the receiver was notified of the success of each request, by its number. */
  private succeeded(): ReadonlyMap<string, number> {
    const ids = new Map<string, string>();
    for (const { body } of this.rig.sink.deliveries) {
      const { data, included = [] } = JSON.parse(body.toString("utf8"));
      if (data.attributes.event !== "tracking_request.succeeded") continue;
      const request = included.find(({ type }: { type: string }) => type === "tracking_request");
      ids.set(data.id, request.attributes.request_number);
    }
    const counts = new Map<string, number>();
    for (const number of ids.values()) counts.set(number, (counts.get(number) ?? 0) + 1);
    return counts;
  }

  /** Returns the numbers that the receiver was notified of. */
  succeededOf(numbers: readonly string[]): string[] {
    const succeeded = this.succeeded();
    return numbers.filter((number) => succeeded.has(number));
  }

  allSucceeded(numbers: readonly string[]): Promise<unknown> {
    const isDone = () => this.succeededOf(numbers).length === numbers.length;
    return eventually("every request was notified", isDone, recoveryMs);
  }

  /** Nothing is lost, half-written or repeated: each number has one shipment with containers, and one notification. */
  async expectTrackedOnce(numbers: readonly string[]): Promise<void> {
    const { rows } = await this.rig.database.pool.query(
      `SELECT r.request_number AS number, r.status, count(DISTINCT s.id)::int AS shipments,
              count(c.id)::int > 0 AS containers
         FROM tracking_requests r LEFT JOIN shipments s ON s.normalized_number = r.normalized_number
         LEFT JOIN containers c ON c.shipment_id = s.id
        GROUP BY r.id, r.request_number, r.status ORDER BY 1`,
    );
    const expected = numbers
      .toSorted()
      .map((number) => ({ number, status: "created", shipments: 1, containers: true }));
    expect(rows).toEqual(expected);
    expect([...this.succeeded()].sort()).toEqual(numbers.toSorted().map((number) => [number, 1]));
    await eventually("everything is delivered", async () => (await this.rig.undelivered()).length === 0, recoveryMs);
  }
}

export const carrierAt = (scac: string, baseUrl: string) => ({
  scac,
  protocol: "dcsa-2.2",
  baseUrl,
  headers: { "Consumer-Key": "demo" },
  timeoutMs: 2_000,
});

/** Requests tracking of so many numbers from `first` on. @returns the numbers. */
export async function track(api: ApiProcess, scac: string, first: number, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, index) => `SBXDIR${String(first + index).padStart(6, "0")}`);
  for (const request_number of numbers) {
    const attributes = { request_type: "bill_of_lading", request_number, scac };
    const response = await api.send("POST", "/tracking_requests", { data: { type: "tracking_request", attributes } });
    expect([request_number, response.status]).toEqual([request_number, 201]);
  }
  return numbers;
}

/** A port on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export async function expectHealthy(service: ServiceProcess): Promise<void> {
  expect([service.url, (await fetch(`${service.url}/healthz`)).status]).toEqual([service.url, 200]);
  await eventually("ready", async () => (await fetch(`${service.url}/readyz`)).status === 200, recoveryMs);
}
