import fs from "node:fs";
import path from "node:path";
import { startPostgres } from "@svc/local-stores";
import pg from "pg";

const data = path.join(import.meta.dirname, "../../.data");

/**
 * The PostgreSQL whose data folder keeps the seeded database between a seed and the measurements: one for each scale.
 */
export async function startLargeStore(scale: number): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = path.join(data, scale === 1 ? "large" : `large-${scale}`);
  fs.mkdirSync(folder, { recursive: true });
  const server = await startPostgres({
    dataDir: path.join(folder, "postgres"),
    durable: true,
    settings: { shared_buffers: "2GB", max_wal_size: "8GB", checkpoint_timeout: "15min" },
  });
  return {
    url: `${server.url}/svc`,
    async stop() {
      // A server with much to write would not end in time, and recover for minutes at its next start.
      const client = new pg.Client({ connectionString: `${server.url}/postgres` });
      await client.connect();
      await client.query("CHECKPOINT");
      await client.end();
      await server.stop();
    },
  };
}
