import { type ArchivedReplies, archiveShipment, type ObjectStore, removeObjects, StoreFailedError } from "@svc/archive";
import { addMs, dayMs, type Instant } from "@svc/domain";
import { type Database, isDatabaseUnavailable, isStatementCanceled } from "@svc/persistence";
import { type FinishedShipment, finishedShipments, firstFinished } from "@svc/persistence/reply-archives";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";

export const archiveEveryMs = 3_600_000;
/** Consecutive failures of the store that end a pass, because it is probably down; the next pass retries. */
const storeFailuresMax = 3;
/**
 * Number of passes, those of a day, after which one begins at the first shipment again: a closed account may have been
 * resumed since.
 */
const passesPerSweep = 24;

export interface ArchiveOptions {
  readonly database: Database;
  readonly store: ObjectStore;
  readonly clock: { now(): Instant };
  /** Days after the end of tracking; undefined: nothing is archived, and only removals are done. */
  readonly afterDays: number | undefined;
  readonly logger: Logger;
  readonly count: (outcome: "archived" | "failed") => void;
  readonly everyMs?: number;
  readonly watched?: WatchedLoop;
}

type Position = Pick<FinishedShipment, "accountId" | "id" | "stoppedAt">;

interface ArchivePass {
  /**
   * Deletes objects that are no longer needed, then archives what has become due. Ends after the current shipment when
   * the signal aborts.
   */
  run(signal?: AbortSignal): Promise<void>;
}

/** Shipments become due in the order in which their tracking stopped, so a pass goes on where the last one ended. */
export function createArchivePass(options: ArchiveOptions): ArchivePass {
  const { database, store, clock, afterDays, logger, count, watched } = options;
  /** Everything up to here is archived. */
  let done: Position = firstFinished;
  let passes = 0;

  /** Null when another worker archives it. Rejects when PostgreSQL is unavailable. */
  const archive = async (
    shipment: FinishedShipment,
  ): Promise<ArchivedReplies | null | "store_failed" | "shipment_failed"> => {
    try {
      return await archiveShipment(database, store, shipment);
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isStatementCanceled(error)) throw error;
      const { accountId, id } = shipment;
      logger.warn({ err: error, account_id: accountId, shipment_id: id }, "archive.shipment_failed");
      count("failed");
      return error instanceof StoreFailedError ? "store_failed" : "shipment_failed";
    }
  };

  const archiveFinished = async (days: number, signal?: AbortSignal): Promise<void> => {
    const until = addMs(clock.now(), -days * dayMs);
    if (passes % passesPerSweep === 0) done = firstFinished;
    passes += 1;
    const total = { shipments: 0, replies: 0, bodyBytes: 0, objectBytes: 0 };
    /** False from the first shipment on that was not archived, with which the next pass begins. */
    let isComplete = true;
    let storeFailures = 0;
    for await (const shipment of shipmentsAfter(database, done, until)) {
      if (signal?.aborted || storeFailures === storeFailuresMax) break;
      if (!shipment.isArchived) {
        const archived = await archive(shipment);
        storeFailures = archived === "store_failed" ? storeFailures + 1 : 0;
        if (archived === null || typeof archived === "string") isComplete = false;
        else if (archived.replies > 0) {
          count("archived");
          total.shipments += 1;
          total.replies += archived.replies;
          total.bodyBytes += archived.bodyBytes;
          total.objectBytes += archived.objectBytes;
        }
      }
      if (isComplete) done = shipment;
      watched?.step();
    }
    if (total.shipments > 0) logger.info(total, "archive.shipments_archived");
  };

  return {
    async run(signal) {
      const objects = await removeObjects(database, store, (error, objectKey) =>
        logger.warn({ err: error, object_key: objectKey }, "archive.object_not_removed"),
      );
      if (objects > 0) logger.info({ objects }, "archive.objects_removed");
      watched?.step();
      if (afterDays !== undefined) await archiveFinished(afterDays, signal);
    },
  };
}

/** Finished shipments after a position. */
async function* shipmentsAfter({ sql }: Database, start: Position, until: Instant) {
  for (let position = start; ; ) {
    const page = await finishedShipments(sql, position, until);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    position = last;
  }
}

/**
 * Archives the replies of finished shipments, and deletes objects that are no longer needed, at startup and every hour.
 * Several workers may run it: one at a time archives a shipment.
 */
export function startArchive(options: ArchiveOptions): { stop(): Promise<void> } {
  const { logger, watched } = options;
  const pass = createArchivePass(options);
  const failed = (error: unknown): void => logger.warn({ err: error }, "archive.pass_failed");
  const repetition = repeat(options.everyMs ?? archiveEveryMs, pass.run, failed, watched);
  repetition.run();
  return repetition;
}
