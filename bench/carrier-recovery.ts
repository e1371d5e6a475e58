import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, startServiceProcess } from "@svc/testkit";
import { onEnd } from "./endings.ts";
import { startLine } from "./ingest.ts";
import type { Rate } from "./rounds.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
/** Duration of each outage, in the order of the rounds. */
const outagesMs = [3_000, 12_000, 25_000, 45_000, 60_000];
const subjects = 20;

/** A carrier's network: it refuses connections while it is down. */
class Network {
  readonly #target: number;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();
  port = 0;

  constructor(target: number) {
    this.#target = target;
  }

  async start(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(this.#target, "127.0.0.1");
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.once("close", () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
      }
      client.pipe(upstream).pipe(client);
    }).listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, "close");
  }
}

async function addDue({ pool }: Database, accountId: string, prefix: string): Promise<void> {
  await pool.query(
    `WITH subjects AS (
       INSERT INTO tracking_subjects (account_id, id, scac, kind, number, next_poll_at, created_at)
       SELECT $1, uuidv7(), 'SBXL', 'bill_of_lading', $2 || lpad(n::text, 7, '0'), now(), now()
       FROM generate_series(1, $3::int) AS n RETURNING id, number)
     INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
       subject_id, created_at, updated_at)
     SELECT $1, uuidv7(), 'bill_of_lading', number, number, 'SBXL', 'pending', id, now(), now() FROM subjects`,
    [accountId, prefix, subjects],
  );
  await pool.query("SELECT pg_notify('svc_tracking', '')");
}

async function untilPolled({ pool }: Database, prefix: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      "SELECT FROM tracking_subjects WHERE number LIKE $1 || '%' AND last_succeeded_at IS NOT NULL",
      [prefix],
    );
    if (rowCount === subjects) return;
    await sleep(50);
  }
}

/** Seconds from a carrier's return until every number that waited for it is polled, for several outages. */
export async function benchmarkCarrierRecovery({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  const stopDatabase = onEnd(() => database.close());
  await seedReferenceData(database);
  const line = await startLine(20);
  const stopLine = onEnd(() => line.stop());
  const network = new Network(Number(new URL(line.url).port));
  await network.start();
  const stopNetwork = onEnd(() => network.stop());
  const accountId = uuidV7.next();
  await database.pool.query("INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Bench', now())", [
    accountId,
  ]);
  const environment = {
    DATABASE_URL: databaseUrl,
    SVC_CARRIERS: JSON.stringify([
      { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: `http://127.0.0.1:${network.port}`, timeoutMs: 2_000 },
    ]),
    LOG_LEVEL: "error",
  };
  const entry = path.join(repository, "apps/tracking-worker/src/main.ts");
  const workers = [await startServiceProcess(entry, environment), await startServiceProcess(entry, environment)];
  const stopWorkers = onEnd(() => Promise.all(workers.map((worker) => worker.stop())));
  await addDue(database, accountId, "WARM");
  await untilPolled(database, "WARM");
  const rates: number[] = [];
  for (const [round, outageMs] of outagesMs.entries()) {
    await network.stop();
    await addDue(database, accountId, `OUT${round}`);
    await sleep(outageMs);
    await network.start();
    const returnedAt = performance.now();
    await untilPolled(database, `OUT${round}`);
    rates.push((performance.now() - returnedAt) / 1_000);
  }
  await stopWorkers();
  await stopNetwork();
  await stopLine();
  await stopDatabase();
  const lengths = outagesMs.map((ms) => ms / 1_000).join(", ");
  return [
    {
      name: `from a carrier's return until ${subjects} waiting numbers are polled, two workers, after outages of ${lengths} s`,
      unit: "s",
      rates,
      note: "one round for each outage",
      aim: { atMost: 30 },
    },
  ];
}
