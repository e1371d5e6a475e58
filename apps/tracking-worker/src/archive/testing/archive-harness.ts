import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import {
  archiveVariables,
  createArchivedBodyReader,
  type ObjectStore,
  openArchiveStore,
  removeObjects,
} from "@svc/archive";
import { CarrierConnection, createStoredReplyReader } from "@svc/carriers";
import { canonicalJson } from "@svc/domain";
import { stopTracking } from "@svc/persistence/shipments";
import { type Difference, verify } from "@svc/replay";
import { createLogger } from "@svc/service-kit";
import { z } from "zod";
import type { VoyageHarness } from "../../testing/voyage-harness.ts";
import { type ArchiveOptions, createArchivePass } from "../start-archive.ts";

/** An archive in a directory for the shipments of a voyage rig. */
export function createArchiveHarness(harness: VoyageHarness) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-archive-"));
  const variables = z.object(archiveVariables).parse({ SVC_ARCHIVE_URL: pathToFileURL(folder).href });
  const store = openArchiveStore(variables) as ObjectStore;
  const files = (): string[] => fs.globSync("*/*/*", { cwd: folder }).toSorted();
  return {
    folder,
    store,
    files,
    /** Ends the tracking of a shipment for a user. @returns its id. */
    async stop(number: string): Promise<string> {
      const { id } = await harness.row<{ id: string }>("SELECT id FROM shipments WHERE normalized_number = $1", number);
      const options = { now: harness.clock.now(), ifVersions: null, userId: null };
      await harness.database.transaction((sql) => stopTracking(sql, harness.accountId, id, options));
      return id;
    },
    /** Runs a pass of the worker. @returns the lines of its log. */
    async pass(options: Partial<ArchiveOptions> = {}): Promise<string> {
      const lines: string[] = [];
      const destination = { write: (line: string) => void lines.push(line) };
      const logger = createLogger({ service: "test", destination });
      const common = {
        database: harness.database,
        store,
        clock: harness.clock,
        afterDays: 30,
        logger,
        count: () => undefined,
      };
      await createArchivePass({ ...common, ...options }).run();
      return lines.join("");
    },
    /** Deletes what is due, as if the wait before it had passed. */
    async removeObjects(): Promise<number> {
      await harness.rows("UPDATE archive_removals SET due_at = now() - interval '1 second'");
      await harness.rows("UPDATE reply_archives SET created_at = now() - interval '1 hour' WHERE stored_at IS NULL");
      const remove = () =>
        removeObjects(harness.database, store, (error) => {
          throw error;
        });
      const removed = await remove();
      await harness.rows("UPDATE archive_removals SET due_at = now() - interval '1 second'");
      return removed + (await remove());
    },
    /** Every stored reply with its body as bytes; null: not in the database. */
    async replies(shipmentNumber?: string) {
      const rows = await harness.rows<{ id: string; body: Buffer | null }>(
        `SELECT r.* FROM raw_replies r JOIN tracking_subjects t ON t.id = r.subject_id
         WHERE $1::text IS NULL OR t.number = $1 ORDER BY r.id`,
        shipmentNumber ?? null,
      );
      return rows.map(({ body, ...row }) => ({
        ...row,
        body: body && gunzipSync(body).toString("hex"),
      }));
    },
    async replay(subject?: string, isArchiveRead = true) {
      const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: harness.sandbox.url };
      const { places } = harness.context;
      const read = createStoredReplyReader([CarrierConnection.parse(line)], places);
      const differences: Difference[] = [];
      const filter = subject === undefined ? {} : { subject };
      const readArchived = isArchiveRead ? createArchivedBodyReader(store) : null;
      const total = await verify(harness.database, filter, { read, readArchived, places }, (found) => {
        differences.push(found);
      });
      return { ...total, differences: differences.map((found) => canonicalJson(found)) };
    },
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
