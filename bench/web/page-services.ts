import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { dayMs } from "@svc/domain";
import { transshippedVoyage } from "@svc/domain/testing";
import { applyMigrations, connectDatabase, createDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedDemoAccount, seedReferenceData } from "@svc/persistence/seed";
import { startServiceProcess } from "@svc/testkit";
import { insertShipments } from "../api-rows.ts";
import { onEnd } from "../endings.ts";
import { pinToCpu } from "../processors.ts";

const root = path.resolve(import.meta.dirname, "../..");
const login = { email: "bench@example.com", password: "bench" };
const appUrl = "http://localhost:4002";

/** The web application over 1,000 shipments with three containers each. */
export interface PageServices {
  readonly url: string;
  readonly apiBaseUrl: string;
  /** The page of a shipment with a voyage. */
  readonly shipmentPath: string;
  /** Number of the shipment. */
  readonly number: string;
  /** Session cookie: its name and value. */
  readonly cookie: readonly [string, string];
  stop(): Promise<void>;
}

/** Adds the voyage of one container, for the map and the timeline. Resolves to the container's id. */
async function addVoyage(database: Database, accountId: string, shipmentId: string): Promise<string> {
  const { prisma } = database;
  const { id: containerId, number } = await prisma.container.findFirstOrThrow({ where: { shipmentId } });
  const [subjectId, createdAt] = [uuidV7.next(), new Date()];
  await prisma.trackingSubject.create({
    data: { id: subjectId, accountId, scac: "SBXL", kind: "bill_of_lading", number: shipmentId, createdAt },
  });
  await prisma.shipment.updateMany({ where: { id: shipmentId }, data: { subjectId } });
  for (const { id: _id, observedAt, ...fact } of transshippedVoyage(number)) {
    const valueHash = createHash("sha256").update(JSON.stringify(fact)).digest();
    await database.pool.query(
      `INSERT INTO observations (account_id, id, subject_id, raw_reply_id, value_hash, observed_at, fact)
       VALUES ($1, $2, $3, $3, $4, $5, $6)`,
      [accountId, uuidV7.next(), subjectId, valueHash, observedAt, JSON.stringify(fact)],
    );
  }
  const { id: portId, timeZone } = await prisma.port.findUniqueOrThrow({ where: { locode: "CNSHA" } });
  const events = ["empty_out", "full_in", "vessel_loaded", "vessel_departed"];
  await prisma.transportEvent.createMany({
    data: events.map((event, day) => ({
      accountId,
      id: uuidV7.next(),
      shipmentId,
      containerId,
      event,
      milestoneKey: event,
      occurredAt: new Date(createdAt.getTime() - (24 - day) * dayMs),
      timeZone,
      portId,
      voyageNumber: "001W",
      dataSource: "shipping_line",
      createdAt,
    })),
  });
  return containerId;
}

async function logIn(url: string): Promise<readonly [string, string]> {
  const headers = { origin: appUrl };
  const body = new URLSearchParams(login);
  const response = await fetch(`${url}/login`, { method: "POST", redirect: "manual", headers, body });
  const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? "") ?? [];
  if (name === "") throw new Error(`The login answers ${response.status} without a session.`);
  return [name, value];
}

/**
 * The API and the pages as processes on one processor, PostgreSQL and the browser on the other.
 * @param fill adds rows to the account.
 */
export async function startPageServices(
  postgresUrl: string,
  fill: (database: Database, accountId: string) => Promise<void> = async () => undefined,
): Promise<PageServices> {
  const databaseUrl = `${postgresUrl}/bench_web_${process.pid}`;
  await createDatabase(databaseUrl);
  await applyMigrations(databaseUrl, path.join(root, "packages/persistence/prisma/migrations"));
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  await seedReferenceData(database);
  await seedDemoAccount(database, { ...login, token: "svc_live_benchmark", now: new Date() });
  const { id: accountId } = await database.prisma.account.findFirstOrThrow();
  const [shipmentId = ""] = await insertShipments(database, accountId);
  const { billOfLadingNumber: number } = await database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } });
  const containerId = await addVoyage(database, accountId, shipmentId);
  await fill(database, accountId);
  await database.close();

  const shared = { DATABASE_URL: databaseUrl, NODE_ENV: "production" };
  const api = await startServiceProcess(path.join(root, "apps/api/dist/main.js"), {
    ...shared,
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_RATE_LIMIT_SESSION: "1000000000",
  });
  const stopApi = onEnd(() => api.stop());
  const pages = await startServiceProcess(path.join(root, "apps/deeplink/dist/main.js"), {
    ...shared,
    SVC_APP_URL: appUrl,
    SVC_API_BASE_URL: `${api.url}/v2`,
  });
  const stopPages = onEnd(() => pages.stop());
  for (const { pid } of [api, pages]) pinToCpu(pid, 0);
  return {
    url: pages.url,
    apiBaseUrl: `${api.url}/v2`,
    shipmentPath: `/shipments/${shipmentId}?container=${containerId}`,
    number,
    cookie: await logIn(pages.url),
    async stop() {
      await stopPages();
      await stopApi();
    },
  };
}
