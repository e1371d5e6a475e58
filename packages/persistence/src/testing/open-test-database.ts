import { createTestDatabase } from "@svc/testkit";
import { connectDatabase, type Database } from "../database.ts";
import type { PoolOptions } from "../sql.ts";

export interface TestDatabase extends Database {
  readonly url: string;
  /** Options of the connection, for further ones. */
  readonly options: PoolOptions;
}

/** A migrated database for one test file. `serverUrl`: address of another server than the runner's. */
export async function openTestDatabase(changes: Partial<PoolOptions> = {}, serverUrl?: string): Promise<TestDatabase> {
  const url = await createTestDatabase(serverUrl);
  const options: PoolOptions = { url, applicationName: "test", onIdleError: () => undefined, ...changes };
  // The object is not spread, which would make the client of Prisma.
  return Object.assign(connectDatabase(options), { url, options });
}
