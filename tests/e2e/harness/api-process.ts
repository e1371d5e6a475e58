import { randomBytes } from "node:crypto";
import path from "node:path";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { seedDemoAccount, seedReferenceData } from "@svc/persistence/seed";
import { createTestDatabase, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { repository } from "./system.ts";

export interface Tenant {
  readonly accountId: string;
  readonly token: string;
}

/** The API as a process, on a database of its own, with two accounts that know nothing of each other. */
export interface ApiProcess {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly tenants: readonly [Tenant, Tenant];
  /** A shipment with containers, as the tracking worker would have written it. */
  addShipment(tenant: Tenant, shipment: ShipmentSeed): Promise<{ id: string; containerIds: readonly string[] }>;
  stop(): Promise<void>;
}

export interface ShipmentSeed {
  readonly number: string;
  readonly scac?: string;
  readonly containers?: readonly string[];
  readonly departedAt?: Date;
  readonly dischargeLocode?: string;
  readonly refNumbers?: readonly string[];
}

async function addTenant(database: Database, name: string): Promise<Tenant> {
  const token = `svc_live_${randomBytes(16).toString("hex")}`;
  await seedDemoAccount(database, { token, email: `${name}@example.test`, password: "kite harbour", now: new Date() });
  const { memberships } = await database.prisma.user.findFirstOrThrow({
    where: { email: `${name}@example.test` },
    include: { memberships: true },
  });
  return { token, accountId: memberships[0]?.accountId ?? "" };
}

/** `postgresUrl`: a server of the test's own, without a database name. */
export async function startApiProcess(
  environment: Readonly<Record<string, string>> = {},
  postgresUrl?: string,
): Promise<ApiProcess> {
  const url = await createTestDatabase(postgresUrl);
  const database = connectDatabase({ url, applicationName: "e2e", onIdleError: () => undefined });
  await seedReferenceData(database);
  const tenants = [await addTenant(database, "first"), await addTenant(database, "second")] as const;
  const api: ServiceProcess = await startServiceProcess(path.join(repository, "apps/api/src/main.ts"), {
    DATABASE_URL: url,
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_RATE_LIMIT_DEFAULT: "10000",
    SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    LOG_LEVEL: "warn",
    ...environment,
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return {
    baseUrl: `${api.url}/v2`,
    databaseUrl: url,
    database,
    tenants,
    async addShipment({ accountId }, seed) {
      const id = uuidV7.next();
      const createdAt = new Date();
      const times = { createdAt, updatedAt: createdAt };
      const port = seed.dischargeLocode
        ? await database.prisma.port.findUniqueOrThrow({ where: { locode: seed.dischargeLocode } })
        : null;
      await database.prisma.shipment.create({
        data: {
          accountId,
          id,
          billOfLadingNumber: seed.number,
          normalizedNumber: seed.number,
          numberKind: "bill_of_lading",
          shippingLineScac: seed.scac ?? "MAEU",
          refNumbers: [...(seed.refNumbers ?? [])],
          polAtdAt: seed.departedAt ?? null,
          portOfDischargeId: port?.id ?? null,
          ...times,
        },
      });
      const containerIds: string[] = [];
      for (const number of seed.containers ?? []) {
        const containerId = uuidV7.next();
        await database.prisma.container.create({
          data: { accountId, id: containerId, shipmentId: id, number, ...times },
        });
        containerIds.push(containerId);
      }
      return { id, containerIds };
    },
    async stop() {
      await api.stop();
      await database.close();
    },
  };
}
