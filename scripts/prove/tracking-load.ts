import { randomBytes } from "node:crypto";
import path from "node:path";
import { connectDatabase, type Database } from "@svc/persistence";
import {
  type Delivery,
  eventually,
  type ServiceProcess,
  startServiceProcess,
  startWebhookSink,
  type WebhookSink,
} from "@svc/testkit";
import { repository } from "../repository.mjs";
import { ClientReads } from "./client-reads.ts";
import { type Front, startFront } from "./front.ts";
import { run, sleep } from "./shell.ts";

const email = "demo@example.com";
/** URL of the web application; nothing connects to it. */
const appUrl = "http://tracking.example";
const settleMs = 300_000;
const stopTimeoutMs = 30_000;
/** Several processes start together, also on a machine that is busy with others. */
const readyTimeoutMs = 600_000;

export interface Stores {
  readonly databaseUrl: string;
  /** Past the pooler, when there is one. */
  readonly directUrl?: string;
  /** URL of the replicas, when the API is to read from them. */
  readonly readUrl?: string;
  readonly queueUrl: string;
  readonly redisUrl: string;
}

interface LoadOptions {
  /** Processes of each service. */
  readonly copies?: number;
  /** Further variables of the process with this name, at each start. */
  readonly environmentOf?: (name: string) => Readonly<Record<string, string>>;
  /** Whether MCP and the web application run too, on the API behind one address. */
  readonly hasClients?: boolean;
  /** The checkout whose built migrations and services run. */
  readonly build?: string;
  /** Pause of each writing client between a response and its next request. */
  readonly writePauseMs?: number;
  /** Scenarios of the sandbox carrier (docs/sandbox.md) that are tracked in turn. */
  readonly scenarios?: readonly [string, ...string[]];
}

interface LoadObserver {
  /** Called with the id of a tracking request as soon as it is acknowledged. */
  acknowledged(id: string): void;
  /** Called with the body of a notification before it is answered. */
  notified(body: Buffer): void;
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
  /** Processes by name, numbered: `api-1`. All but the sandbox carrier. */
  readonly services = new Map<string, ServiceProcess>();
  /** Starts a process with this name from the build in use. */
  private readonly restarts = new Map<string, () => Promise<ServiceProcess>>();
  private build: string;
  private readonly options: LoadOptions;
  private sandbox: ServiceProcess | undefined;
  private front: Front | undefined;
  private clientReads: ClientReads | undefined;
  private readonly password = randomBytes(8).toString("hex");
  /** Token of the API, and of its metrics when it reads from replicas. */
  readonly token = `svc_live_${randomBytes(20).toString("hex")}`;
  private readonly stores: Stores;
  private readonly sink: WebhookSink;
  private nextNumber = 0;
  private isWriting = false;
  private observer: LoadObserver | undefined;
  private writers: Promise<void>[] = [];

  private constructor(stores: Stores, sink: WebhookSink, options: LoadOptions) {
    this.stores = stores;
    this.sink = sink;
    this.options = options;
    this.build = options.build ?? repository;
  }

  /** @param folder where the sandbox carrier keeps its data. */
  static async start(stores: Stores, folder: string, options: LoadOptions = {}): Promise<TrackingLoad> {
    const { copies = 1, environmentOf = () => ({}), hasClients = false } = options;
    const load = new TrackingLoad(stores, await startWebhookSink(), options);
    try {
      await load.startServices(folder, copies, environmentOf, hasClients);
      const attributes = { url: `${load.sink.url}/hook`, active: true, events: ["*"] };
      await load.call("POST", "/webhooks", { type: "webhook", attributes });
      return load;
    } catch (error) {
      await load.close();
      throw error;
    }
  }

  private get database(): Readonly<Record<string, string>> {
    const { databaseUrl, directUrl } = this.stores;
    return { DATABASE_URL: databaseUrl, ...(directUrl && { DATABASE_DIRECT_URL: directUrl }) };
  }

  private migrate(environment: Readonly<Record<string, string>> = {}): string {
    const program = path.join(this.build, "packages/persistence/dist/migrate-cli.js");
    return run(process.execPath, [program], { ...process.env, ...this.database, ...environment });
  }

  private async startServices(
    folder: string,
    copies: number,
    environmentOf: NonNullable<LoadOptions["environmentOf"]>,
    hasClients: boolean,
  ): Promise<void> {
    const { queueUrl, redisUrl, readUrl } = this.stores;
    this.migrate({
      SVC_DEMO_TOKEN: this.token,
      SVC_DEMO_EMAIL: email,
      SVC_DEMO_PASSWORD: this.password,
    });
    const startOne = (name: string, environment: Readonly<Record<string, string>>) =>
      startServiceProcess(
        path.join(this.build, `apps/${name}/dist/main.js`),
        { LOG_LEVEL: "warn", ...environment },
        readyTimeoutMs,
      );
    const start = (name: string, environment: Readonly<Record<string, string>>) =>
      Promise.all(
        Array.from({ length: copies }, async (_, index) => {
          const copy = `${name}-${index + 1}`;
          const restart = () => startOne(name, { ...environment, ...environmentOf(copy) });
          this.restarts.set(copy, restart);
          this.services.set(copy, await restart());
        }),
      );
    this.sandbox = await startOne("carrier-sandbox", { SVC_SANDBOX_DATA_DIR: folder });
    const sandbox = this.sandbox.url;
    const common = { ...this.database, SVC_SECRET_KEY: randomBytes(32).toString("base64") };
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox, headers: { "Consumer-Key": "demo" } };
    this.carriers = JSON.stringify([line]);
    const clock = { SVC_CLOCK_URL: `${sandbox}/_sandbox/clock` };
    const many = "1000000";
    const limits = Object.fromEntries(
      ["DEFAULT", "CREATE_TRACKING_REQUEST", "SESSION"].map((name) => [`SVC_RATE_LIMIT_${name}`, many]),
    );
    const insecure = { SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true" };
    const reads = readUrl && { SVC_DATABASE_READ_URL: readUrl, SVC_METRICS_TOKEN: this.token };
    await Promise.all([
      start("api", { ...common, ...clock, ...limits, ...insecure, ...reads, REDIS_URL: redisUrl }),
      start("tracking-worker", { ...common, ...clock, SVC_CARRIERS: this.carriers }),
      start("webhook-worker", { ...common, ...insecure, SVC_QUEUE_URL: queueUrl }),
    ]);
    if (!hasClients) return;
    this.front = await startFront(() => this.apiUrl);
    const api = { SVC_API_BASE_URL: `${this.front.url}/v2` };
    await Promise.all([start("mcp", api), start("deeplink", { ...common, ...clock, ...api, SVC_APP_URL: appUrl })]);
  }

  /** URL of one of the processes. */
  get apiUrl(): string {
    return this.urlOf("api");
  }

  private urlOf(service: string): string {
    const urls = [...this.services].flatMap(([name, { url }]) => (name.startsWith(`${service}-`) ? [url] : []));
    return urls[this.nextNumber % urls.length] ?? "";
  }

  /** Ports of the carrier and of the receiver, by name. */
  get ports(): Readonly<Record<string, number>> {
    return { carrier: Number(new URL(this.sandbox?.url ?? "").port), receiver: Number(new URL(this.sink.url).port) };
  }

  get webhookWorkerUrl(): string {
    return this.services.get("webhook-worker-1")?.url ?? "";
  }

  /** Ends a service by SIGKILL, and resolves when another process in its place is ready. */
  async killAndRestart(name: string): Promise<void> {
    const killed = this.services.get(name);
    killed?.kill("SIGKILL");
    await killed?.exited;
    const restarted = await this.restarts.get(name)?.();
    if (restarted) this.services.set(name, restarted);
  }

  /**
   * Migrates the database with the migrations of another built checkout; the processes that run stay as they are, and
   * those that are started later are of this build. @returns what the migration printed.
   */
  migrateTo(build: string): string {
    this.build = build;
    return this.migrate();
  }

  /**
   * Starts another process in the place of one, passes requests to it once it is ready, and stops the former.
   * @returns the exit code of the former: not 0 when it had to end before its work in progress did.
   */
  async replace(name: string): Promise<number | null> {
    const former = this.services.get(name);
    const replacement = await this.restarts.get(name)?.();
    if (!former || !replacement) throw new Error(`There is no process ${name}.`);
    this.services.set(name, replacement);
    return (await former.stop(stopTimeoutMs)).code;
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
    const { writePauseMs = 120, scenarios = ["DIR"] } = this.options;
    while (this.isWriting) {
      const scenario = scenarios[++this.nextNumber % scenarios.length] ?? scenarios[0];
      const number = `SBX${scenario}${String(this.nextNumber).padStart(6, "0")}`;
      const attributes = { request_type: "bill_of_lading", request_number: number, scac: "SBXL" };
      try {
        const { id } = await this.call("POST", "/tracking_requests", { type: "tracking_request", attributes });
        this.acknowledged.push({ id, number });
        this.acknowledgedAtMs.push(Date.now());
        this.observer?.acknowledged(id);
      } catch (error) {
        const why = (error as Error).message;
        this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
      }
      await sleep(writePauseMs);
    }
  }

  /** Reads a path of the API, without the version. Rejects unless it answers 200. */
  async read(target: string): Promise<void> {
    await this.call("GET", target);
  }

  /** Reads over MCP and pages, of services that run with `hasClients`. */
  get clients(): ClientReads {
    this.clientReads ??= new ClientReads((service) => this.urlOf(service), this.token, {
      appUrl,
      email,
      password: this.password,
    });
    return this.clientReads;
  }

  observe(observer: LoadObserver): void {
    this.observer = observer;
    this.sink.respondWith(({ body }) => {
      observer.notified(body);
      return { status: 200 };
    });
  }

  /** The response of the API, whatever its status. */
  respond(method: string, target: string, data?: object): Promise<Response> {
    return fetch(`${this.apiUrl}/v2${target}`, {
      method,
      headers: { authorization: `Token ${this.token}`, "content-type": "application/vnd.api+json" },
      signal: AbortSignal.timeout(20_000),
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
  }

  private async call(method: string, target: string, data?: object): Promise<{ id: string }> {
    const response = await this.respond(method, target, data);
    const body = await response.text();
    if (!response.ok) throw new Error(`${method} ${target.split("/")[1]} answered ${response.status}`);
    return (JSON.parse(body) as { data: { id: string } }).data;
  }

  /** Requests that the receiver got. */
  get received(): readonly Delivery[] {
    return this.sink.deliveries;
  }

  /** Throws unless every acknowledged write is there and every notification was delivered. */
  async verify(): Promise<string> {
    for (const { id, number } of this.acknowledged)
      await this.call("GET", `/tracking_requests/${id}`).catch((error: Error) => {
        throw new Error(`${number} was acknowledged and is lost: ${error.message}`);
      });
    const database = this.connect();
    try {
      const rows = async <Row extends object>(text: string) => (await database.pool.query<Row>(text)).rows;
      const requireNone = async (what: string, from: string): Promise<true> => {
        const count = (await rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`))[0]?.count;
        if (count !== 0) throw new Error(`${count} ${what}`);
        return true;
      };
      const pending = "tracking_requests WHERE status = 'pending'";
      await eventually("every request is tracked", () => requireNone("are pending", pending), settleMs);
      // The voyages go on, and would always have another notification to deliver.
      const tracking = [...this.services].filter(([name]) => name.startsWith("tracking-worker-"));
      await Promise.all(tracking.map(([, worker]) => worker.stop()));
      const undelivered = () => requireNone("are not delivered", "webhook_deliveries");
      await eventually("every notification is delivered", undelivered, settleMs);
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

  /** Connects to the services' database, past the pooler. */
  connect(): Database {
    const url = this.stores.directUrl ?? this.stores.databaseUrl;
    return connectDatabase({ url, applicationName: "proof", onIdleError: () => undefined });
  }

  async close(): Promise<void> {
    await this.stopWriting();
    await Promise.all([...this.services.values()].map((one) => one.stop()));
    await this.front?.close();
    await this.sandbox?.stop();
    await this.sink.close();
  }
}
