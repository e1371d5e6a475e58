import { createTestDatabase } from "@svc/testkit";
import { connectDatabase, type Database } from "../database.ts";
import type { PoolOptions } from "../sql.ts";

/**
 * A migrated database for one test file, and a connection that the file closes. `options` are those of the connection,
 * for further ones. `serverUrl`: address of another server than the runner's.
 */
export async function openTestDatabase(
  changes: Partial<PoolOptions> = {},
  serverUrl?: string,
): Promise<{ readonly url: string; readonly options: PoolOptions; readonly database: Database }> {
  const url = await createTestDatabase(serverUrl);
  const options: PoolOptions = { url, applicationName: "test", onIdleError: () => undefined, ...changes };
  return { url, options, database: connectDatabase(options) };
}
