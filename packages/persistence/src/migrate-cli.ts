#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { connectDatabase } from "./database.ts";
import { applyMigrations, createDatabase } from "./migrate.ts";
import { seedDemoAccount } from "./seed/demo-account.ts";
import { seedReferenceData } from "./seed/reference-data.ts";

/**
 * A deployment runs this once before its services. Creates the database of DATABASE_URL when it is missing, applies
 * missing migrations and updates the reference data. SVC_DEMO_TOKEN, SVC_DEMO_EMAIL and SVC_DEMO_PASSWORD together also
 * create the demo account. Running it again changes nothing.
 */
async function prepareDatabase(environment: NodeJS.ProcessEnv): Promise<void> {
  const { SVC_DEMO_TOKEN: token, SVC_DEMO_EMAIL: email, SVC_DEMO_PASSWORD: password } = environment;
  // Migrations hold a lock of their session, which a pooler in transaction mode does not keep.
  const url = environment.DATABASE_DIRECT_URL || environment.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is missing (postgresql://user:password@host:5432/name).");
  const demo = [token, email, password].filter(Boolean).length;
  if (demo !== 0 && demo !== 3)
    throw new Error("Set all of SVC_DEMO_TOKEN, SVC_DEMO_EMAIL and SVC_DEMO_PASSWORD, or none.");
  await createDatabase(url);
  // The same path from src and from dist.
  const applied = await applyMigrations(url, fileURLToPath(new URL("../prisma/migrations", import.meta.url)));
  const database = connectDatabase({
    url,
    maxConnections: 2,
    applicationName: "migrate",
    onIdleError: () => undefined,
  });
  try {
    await seedReferenceData(database);
    if (token && email && password) await seedDemoAccount(database, { token, email, password, now: new Date() });
  } finally {
    await database.close();
  }
  process.stdout.write(`Database ready; ${applied.length} migration(s) applied.\n`);
}

try {
  await prepareDatabase(process.env);
} catch (error) {
  process.stderr.write(`migrate: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
