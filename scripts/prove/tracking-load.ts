import { randomBytes } from "node:crypto";
import path from "node:path";
import { connectDatabase } from "@svc/persistence";
import { eventually, type ServiceProcess, startServiceProcess, startWebhookSink, type WebhookSink } from "@svc/testkit";
import { repository } from "../repository.mjs";
import { run, sleep } from "./shell.ts";

const pauseMs = 120;
const settleMs = 120_000;
const service = (name: string): string => path.join(repository, `apps/${name}/src/main.ts`);

export interface Stores {
  readonly databaseUrl: string;
  readonly directUrl: string;
  readonly queueUrl: string;
  readonly redisUrl: string;
}

interface Created {
  readonly id: string;
  readonly number: string;
}

/**
 * The services as processes over given stores, with clients that create tracking requests without pause and a receiver
 * that keeps every notification.
 */
export class TrackingLoad {
  /** Tracking requests that the API answered with 201. */
  readonly acknowledged: Created[] = [];
  /** When each of them was acknowledged, in milliseconds since the epoch. */
  readonly acknowledgedAtMs: number[] = [];
  /** SVC_CARRIERS of the tracking worker. */
  carriers = "";
  readonly refused = new Map<string, number>();
  private readonly processes: ServiceProcess[] = [];
  private trackingWorker: ServiceProcess | undefined;
  private readonly token = `svc_live_${randomBytes(20).toString("hex")}`;
  private readonly stores: Stores;
  private readonly sink: WebhookSink;
  private apiUrl = "";
  private nextNumber = 0;
  private isWriting = false;
  private writers: Promise<void>[] = [];

  private constructor(stores: Stores, sink: WebhookSink) {
    this.stores = stores;
    this.sink = sink;
  }

  static async start(stores: Stores, folder: string): Promise<TrackingLoad> {
    const load = new TrackingLoad(stores, await startWebhookSink());
    await load.startServices(folder);
    const attributes = { url: `${load.sink.url}/hook`, active: true, events: ["*"] };
    await load.call("POST", "/webhooks", { type: "webhook", attributes });
    return load;
  }

  private async startServices(folder: string): Promise<void> {
    const { databaseUrl, directUrl, queueUrl, redisUrl } = this.stores;
    const database = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl };
    run(process.execPath, [path.join(repository, "packages/persistence/src/migrate-cli.ts")], {
      ...process.env,
      ...database,
      SVC_DEMO_TOKEN: this.token,
      SVC_DEMO_EMAIL: "demo@example.com",
      SVC_DEMO_PASSWORD: randomBytes(8).toString("hex"),
    });
    const start = async (name: string, environment: Readonly<Record<string, string>>) => {
      const started = await startServiceProcess(service(name), { LOG_LEVEL: "warn", ...environment });
      this.processes.push(started);
      return started;
    };
    const { url: sandbox } = await start("carrier-sandbox", { SVC_SANDBOX_DATA_DIR: folder });
    const common = { ...database, SVC_SECRET_KEY: randomBytes(32).toString("base64") };
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox, headers: { "Consumer-Key": "demo" } };
    this.carriers = JSON.stringify([line]);
    const clock = { SVC_CLOCK_URL: `${sandbox}/_sandbox/clock` };
    const many = "1000000";
    const limits = { SVC_RATE_LIMIT_DEFAULT: many, SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST: many };
    const insecure = { SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
    const [api, trackingWorker] = await Promise.all([
      start("api", { ...common, ...clock, ...limits, ...insecure, REDIS_URL: redisUrl }),
      start("tracking-worker", { ...common, ...clock, SVC_CARRIERS: this.carriers }),
      start("webhook-worker", { ...common, ...insecure, SVC_QUEUE_URL: queueUrl }),
    ]);
    this.apiUrl = api.url;
    this.trackingWorker = trackingWorker;
  }

  /** Starts two clients that create one tracking request after another. */
  write(): void {
    this.isWriting = true;
    this.writers = [this.writeOn(), this.writeOn()];
  }

  async stopWriting(): Promise<void> {
    this.isWriting = false;
    await Promise.all(this.writers);
  }

  private async writeOn(): Promise<void> {
    while (this.isWriting) {
      const number = `SBXDIR${String(++this.nextNumber).padStart(6, "0")}`;
      const attributes = { request_type: "bill_of_lading", request_number: number, scac: "SBXL" };
      try {
        const { id } = await this.call("POST", "/tracking_requests", { type: "tracking_request", attributes });
        this.acknowledged.push({ id, number });
        this.acknowledgedAtMs.push(Date.now());
      } catch (error) {
        const why = (error as Error).message;
        this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
      }
      await sleep(pauseMs);
    }
  }

  private async call(method: string, target: string, data?: object): Promise<{ id: string }> {
    const response = await fetch(`${this.apiUrl}/v2${target}`, {
      method,
      headers: { authorization: `Token ${this.token}`, "content-type": "application/vnd.api+json" },
      signal: AbortSignal.timeout(20_000),
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`${method} ${target.split("/")[1]} answered ${response.status}`);
    return (JSON.parse(body) as { data: { id: string } }).data;
  }

  /** Receipts, in milliseconds since the epoch. */
  get receivedAtMs(): readonly number[] {
    return this.sink.deliveries.map(({ receivedAtMs }) => receivedAtMs);
  }

  /** Throws unless every acknowledged write is there and every notification was delivered. */
  async verify(): Promise<string> {
    for (const { id, number } of this.acknowledged)
      await this.call("GET", `/tracking_requests/${id}`).catch((error: Error) => {
        throw new Error(`${number} was acknowledged and is lost: ${error.message}`);
      });
    const database = connectDatabase({
      url: this.stores.directUrl,
      applicationName: "proof",
      onIdleError: () => undefined,
    });
    try {
      const rows = async <Row extends object>(text: string) => (await database.pool.query<Row>(text)).rows;
      const isEmpty = async (from: string) => (await rows(`SELECT FROM ${from} LIMIT 1`)).length === 0;
      await eventually(
        "every request is tracked",
        () => isEmpty("tracking_requests WHERE status = 'pending'"),
        settleMs,
      );
      // The voyages go on, and would always have another notification to deliver.
      await this.trackingWorker?.stop();
      await eventually("every notification is delivered", () => isEmpty("webhook_deliveries"), settleMs);
      const received = new Set(this.sink.deliveries.map(({ headers }) => String(headers["webhook-id"])));
      const notifications = await rows<{ id: string }>("SELECT id FROM webhook_notifications");
      const missing = notifications.filter(({ id }) => !received.has(id));
      if (missing.length > 0) throw new Error(`${missing.length} notifications were never received.`);
      const succeeded = this.sink.deliveries.filter(({ body }) => body.includes("tracking_request.succeeded"));
      const tracked = new Set(succeeded.map(({ headers }) => String(headers["webhook-id"]))).size;
      if (tracked < this.acknowledged.length)
        throw new Error(`${this.acknowledged.length} requests, but ${tracked} notifications of success.`);
      const repeated = this.sink.deliveries.length - received.size;
      return `${this.acknowledged.length} acknowledged writes, 0 lost; ${notifications.length} notifications, 0 lost, ${repeated} repeated`;
    } finally {
      await database.close();
    }
  }

  async close(): Promise<void> {
    await this.stopWriting();
    await Promise.all(this.processes.map((one) => one.stop()));
    await this.sink.close();
  }
}

/** The longest time between two instants of a list, from `sinceMs` on. */
export function longestPauseMs(timesMs: readonly number[], sinceMs: number): number {
  const times = [sinceMs, ...timesMs.filter((time) => time >= sinceMs).sort((one, other) => one - other)];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
