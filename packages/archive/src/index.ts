export { ArchiveDamagedError } from "./archive-object.ts";
export {
  archiveProblems,
  archiveVariables,
  openArchiveStore,
} from "./archive-settings.ts";
export { type ArchivedReplies, archiveShipment, StoreFailedError } from "./archive-shipment.ts";
export type { ObjectStore } from "./object-store.ts";
export { createArchivedBodyReader } from "./read-archive.ts";
export { removeObjects } from "./remove-objects.ts";
export { restore, verifyArchive } from "./restore-archive.ts";
