import { applyMigrations, connectDatabase, createDatabase } from "@svc/persistence";
import { seedDemoAccount, seedReferenceData } from "@svc/persistence/seed";
import type { Secrets } from "./secrets.ts";
import { StartError } from "./start-error.ts";

/** Brings the database to the state that the services expect, however far an earlier start came. */
export async function setUpDatabase(databaseUrl: string, migrationsFolder: string, secrets: Secrets): Promise<void> {
  await createDatabase(databaseUrl);
  try {
    await applyMigrations(databaseUrl, migrationsFolder);
  } catch (error) {
    throw new StartError(
      `${(error as Error).message.replace(/\.$/, "")}; \`npm start -- --fresh\` deletes the data of earlier starts.`,
    );
  }
  const database = connectDatabase({
    url: databaseUrl,
    maxConnections: 2,
    applicationName: "launcher",
    onIdleError: () => undefined,
  });
  try {
    await seedReferenceData(database);
    await seedDemoAccount(database, { token: secrets.token, ...secrets.login, now: new Date() });
  } finally {
    await database.close();
  }
}
