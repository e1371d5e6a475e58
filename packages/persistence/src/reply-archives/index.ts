export {
  type ArchiveFilter,
  archiveKey,
  findArchive,
  type StoredArchive,
  storedArchives,
} from "./archive-reader.ts";
export { dueRemovals, removalDone } from "./archive-removals.ts";
export { archivedReplies, restoreArchive } from "./archive-restorer.ts";
export {
  abandonArchive,
  type BodyToArchive,
  beginArchive,
  bodiesToArchive,
  completeArchive,
  removeAbandonedArchives,
} from "./archive-writer.ts";
export { type FinishedShipment, finishedShipments, firstFinished } from "./finished-shipments.ts";
