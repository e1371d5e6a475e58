// Archives the finished shipments of a database into a directory, and is killed at one moment of it:
// node archive-and-die.ts <database> <directory> <until> <moment>
import process from "node:process";
import { pathToFileURL } from "node:url";
import { archiveShipment, archiveVariables, type ObjectStore, openArchiveStore } from "@svc/archive";
import type { Instant } from "@svc/domain";
import { connectDatabase, type Database } from "@svc/persistence";
import { finishedShipments, firstFinished } from "@svc/persistence/reply-archives";
import { z } from "zod";

export const killPoints = ["before put", "after put", "after read", "before commit", "after commit"] as const;

const [url = "", directory = "", until = "", phase = ""] = process.argv.slice(2);

/** SIGKILL: nothing is cleaned up. */
async function dieAt(now: (typeof killPoints)[number]): Promise<void> {
  if (now !== phase) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
}

if (process.argv[1] === import.meta.filename) {
  const SVC_ARCHIVE_URL = pathToFileURL(directory).href;
  const files = openArchiveStore(z.object(archiveVariables).parse({ SVC_ARCHIVE_URL }));
  if (files === null) throw new Error("There is no store.");
  const store: ObjectStore = {
    ...files,
    async put(key, bytes) {
      await dieAt("before put");
      await files.put(key, bytes);
      await dieAt("after put");
    },
    async get(key) {
      const bytes = await files.get(key);
      await dieAt("after read");
      return bytes;
    },
  };
  const database = connectDatabase({ url, applicationName: "archive", onIdleError: () => undefined });
  const dying: Database = Object.assign(Object.create(database) as Database, {
    async transaction<T>(work: Parameters<typeof database.transaction<T>>[0]) {
      const result = await database.transaction(async (sql) => {
        const inner = await work(sql);
        await dieAt("before commit");
        return inner;
      });
      await dieAt("after commit");
      return result;
    },
  });
  for (const shipment of await finishedShipments(database.sql, firstFinished, until as Instant)) {
    if (!shipment.isArchived) await archiveShipment(dying, store, shipment);
  }
  await database.close();
}
